import { createHash } from 'node:crypto'
import { LIMITS } from '../limits.js'
import { type Line, LineSplitter } from './line-splitter.js'
import type { OpenFile } from './open-file.js'
import type { Pin } from './stream-record.js'

const LINES_AT_ONCE = 64

/** Sum of lines: equal for the same bytes, however they were read. */
export function sumOf(lines: readonly Line[]): string {
  const hash = createHash('sha256')
  let text = ''
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!
    text += `${line.bytes} ${line.text}\n`
    // A call for each line costs as much as the sum; the text of all of them is garbage that lives long.
    if (i % LINES_AT_ONCE !== 0) continue
    hash.update(text)
    text = ''
  }
  return hash.update(text).digest('hex')
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
