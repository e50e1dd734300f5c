import { type BadLine, endOfLine, readLines } from '../text-lines/read-lines.js'
import type { ProtocolLine } from './lines.js'
import { readLine } from './read-line.js'

const BLANK = /^[ \t\r]*$/

/**
 * Parses line protocol and yields to the event loop between steps. Malformed lines are reported and skipped.
 * Throws `MalformedText` and `TooManyLines`.
 */
export function readProtocol(body: Buffer, maxLines: number): Generator<void, (ProtocolLine | BadLine)[]> {
  return readLines(body, { plural: 'lines', maxItems: maxLines, read, endOf: endOfPoint })
}

function read(sent: string, line: number): ProtocolLine | null {
  const text = sent.trimStart()
  return BLANK.test(text) || text.startsWith('#') ? null : { line, ...readLine(text) }
}

/** Where the point that begins at `start` ends: a newline inside of a string of its fields belongs to it. */
function endOfPoint(text: string, start: number): number {
  const newline = endOfLine(text, start)
  if (!text.slice(start, newline).includes('="')) return newline
  let inFields = false
  let inString = false
  // The character before, if no backslash escapes it.
  let before = ''
  for (let at = start; at < text.length; at++) {
    const character = text[at]!
    if (character === '\\') {
      at++
      before = ''
      continue
    }
    if (character === '\n' && !inString) return at
    if (character === '"' && (inString || (inFields && before === '='))) inString = !inString
    inFields ||= character === ' ' && before !== ''
    before = character
  }
  // What follows a string that does not end belongs to it, so that the body is read once.
  return text.length
}
