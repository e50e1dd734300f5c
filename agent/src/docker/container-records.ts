import type { DockerSource } from '../config/config.js'
import { shortContainerId } from '../listeners/cgroup.js'
import type { StreamRecord } from '../files/stream-record.js'
import { NO_BYTES } from '../files/line-reader.js'
import type { Journal } from '../journal/journal.js'
import { continuationOf, type LedgerStream } from '../recover/ledger-streams.js'
import { BEGINNING, type ContainerPlace, timeOf } from './container-place.js'

/** The name of the source in the journal of the agent. */
export const DOCKER = 'docker'

/** Places in the log of a container: that of its stream, and the end of the batch that was noted. */
export interface ContainerCursor {
  readonly place: ContainerPlace
  readonly pinTo: ContainerPlace | null
}

/** What is known of the stream of a container; `cursor` is a `ContainerCursor` as JSON. */
export type ContainerRecord = StreamRecord & { readonly cursor: string }

const PREFIX = 'docker-'
/** A stream id has at most 40 characters. */
const ID_DIGITS = 32
/** The clock of the service may be behind that of Docker. */
const CLOCKS_DIFFER_MS = 300_000

/** The id of the stream of a container: known without the state of the agent. */
export function streamIdOf(containerId: string): string {
  return PREFIX + containerId.slice(0, ID_DIGITS)
}

/** A place as the cursor of a stream record; `pinTo` is the place behind a batch in flight. */
export function cursorOf(place: ContainerPlace, pinTo: ContainerPlace | null = null): string {
  return JSON.stringify({ place, pinTo } satisfies ContainerCursor)
}

/** The places in the cursor of a stream record. */
export function parseCursor({ cursor }: ContainerRecord): ContainerCursor {
  return JSON.parse(cursor) as ContainerCursor
}

/** The record of a stream of which nothing was sent yet. */
export function newContainerRecord(containerId: string, place: ContainerPlace): ContainerRecord {
  return {
    ...{ id: streamIdOf(containerId), pattern: DOCKER, path: `${DOCKER}:${shortContainerId(containerId)}` },
    ...{ dev: -1, ino: -1, bornMs: -1, head: NO_BYTES, anchor: NO_BYTES, offset: place.at },
    ...{ nextLine: 1, nextSeq: 1, sealedAtMs: 0, pin: null, endedAtMs: null, cursor: cursorOf(place) }
  }
}

/** The stream of a container in the journal of the agent. */
export function containerRecord({ streams }: Pick<Journal, 'streams'>, containerId: string): ContainerRecord | null {
  const record = streams.get(streamIdOf(containerId))
  return record?.cursor === undefined ? null : { ...record, cursor: record.cursor }
}

/** Open streams of containers in the journal of the agent. */
export function openRecords({ streams }: Pick<Journal, 'streams'>): readonly ContainerRecord[] {
  return [...streams.values()].filter(
    (record): record is ContainerRecord => record.pattern === DOCKER && record.cursor !== undefined && record.endedAtMs === null
  )
}

/**
 * Notes the streams of containers that the service has, for an agent that has none. Where logs are read from their end, it
 * is not known where a first batch began that is pending: nothing can be compared with it.
 */
export async function recoverContainers(
  journal: Pick<Journal, 'streams' | 'put'>,
  streams: readonly LedgerStream[],
  { startAt }: Pick<DockerSource, 'startAt'>
): Promise<void> {
  for (const stream of streams) {
    const { id, path, bytesTo, anchor, pending, isEnded, lastAtMs } = stream
    if (!id.startsWith(PREFIX) || !path.startsWith(`${DOCKER}:`) || journal.streams.has(id)) continue
    if (pending !== null && startAt === 'end') continue
    const notAfter = timeOf(lastAtMs + CLOCKS_DIFFER_MS)
    const place = { ...BEGINNING, sum: anchor ?? '', nth: anchor === null ? 0 : 1, at: bytesTo, notAfter }
    await journal.put({
      ...newContainerRecord(id.slice(PREFIX.length), place),
      ...continuationOf(stream),
      path,
      anchor: anchor === null ? NO_BYTES : { bytes: 1, sum: anchor },
      endedAtMs: isEnded ? lastAtMs : null
    })
  }
}
