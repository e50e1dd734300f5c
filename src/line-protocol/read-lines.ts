import { isUtf8 } from 'node:buffer'
import { type BadLine, BrokenLines, type ProtocolLine, TooManyLines } from './lines.js'
import { BadSyntax, readLine } from './read-line.js'

/** Lines that are read before other work has its turn. */
const LINES_AT_ONCE = 1_000
const BLANK = /^[ \t\r]*$/

/**
 * Reads line protocol in steps, so that other work has its turn in between. A line that is none of the format is told and
 * passed over. Throws `BrokenLines` and `TooManyLines`.
 */
export function* readProtocol(body: Buffer, maxLines: number): Generator<void, readonly (ProtocolLine | BadLine)[]> {
  if (!isUtf8(body)) throw new BrokenLines('the body is not UTF-8')
  const text = body.toString('utf8')
  const items: (ProtocolLine | BadLine)[] = []
  let line = 1
  for (let start = 0, steps = 1; start < text.length; steps++) {
    const end = endOfPoint(text, start)
    const item = itemOf(text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end).trimStart(), line)
    if (item !== null && items.push(item) > maxLines) throw new TooManyLines(`a request may hold ${maxLines} lines`)
    line += newlinesIn(text, start, end) + 1
    start = end + 1
    if (steps % LINES_AT_ONCE === 0) yield
  }
  return items
}

function itemOf(text: string, line: number): ProtocolLine | BadLine | null {
  if (BLANK.test(text) || text.startsWith('#')) return null
  try {
    return { line, ...readLine(text) }
  } catch (error) {
    if (error instanceof BadSyntax) return { line, detail: error.message }
    throw error
  }
}

/** Where the point that begins at `start` ends: a newline inside of a string of its fields belongs to it. */
function endOfPoint(text: string, start: number): number {
  const newline = endOfLine(text, start)
  if (!text.slice(start, newline).includes('="')) return newline
  let inFields = false
  let inString = false
  // The character before, when no backslash stands before it.
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

function endOfLine(text: string, start: number): number {
  const newline = text.indexOf('\n', start)
  return newline < 0 ? text.length : newline
}

function newlinesIn(text: string, start: number, end: number): number {
  let count = 0
  for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count++
  return count
}
