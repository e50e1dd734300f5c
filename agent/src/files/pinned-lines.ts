import { createHash } from 'node:crypto'
import { LIMITS } from '../limits.js'
import { type Line, LineSplitter } from './line-splitter.js'
import type { OpenFile } from './open-file.js'
import type { Pin } from './stream-record.js'

/** Sum of lines: equal for the same bytes, however they were read. */
export function sumOf(lines: readonly Line[]): string {
  // At once: a call for each line costs as much as the sum.
  let text = ''
  for (const line of lines) text += `${line.bytes} ${line.text}\n`
  return createHash('sha256').update(text).digest('hex')
}

/** The lines of a pinned part, read again; null when the file does not have them any more. */
export async function readPinned(file: Pick<OpenFile, 'read'>, pin: Pin): Promise<readonly Line[] | null> {
  const lines: Line[] = []
  const splitter = new LineSplitter()
  for (let at = pin.from; at < pin.to;) {
    const chunk = await file.read(at, Math.min(LIMITS.readBytes, pin.to - at))
    if (chunk.length === 0) return null
    splitter.push(chunk, lines)
    at += chunk.length
  }
  const last = splitter.flush()
  if (last !== null) lines.push(last)
  return lines.length === pin.lines && sumOf(lines) === pin.sum ? lines : null
}
