import { LIMITS } from '../limits.js'
import { fingerprint } from './line-reader.js'
import { newStreamId } from './new-stream-id.js'
import type { OpenFile } from './open-file.js'
import type { StreamRecord } from './stream-record.js'

/** Where a new stream begins. */
export interface Beginning extends Pick<StreamRecord, 'path' | 'pattern' | 'offset'> {
  /** Unix milliseconds. */
  readonly nowMs: number
}

/** The record of a stream that begins at an offset of its file. */
export async function newRecord(file: OpenFile, { path, pattern, offset, nowMs }: Beginning): Promise<StreamRecord> {
  const anchorBytes = Math.min(offset, LIMITS.anchorBytes)
  return {
    id: newStreamId(nowMs),
    pattern,
    path,
    ...file.place,
    head: fingerprint(await file.read(0, Math.min(offset, LIMITS.headBytes))),
    offset,
    anchor: fingerprint(await file.read(offset - anchorBytes, anchorBytes)),
    nextLine: 1,
    nextSeq: 1,
    sealedAtMs: 0,
    pin: null,
    endedAtMs: null
  }
}
