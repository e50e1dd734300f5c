import { isUtf8 } from 'node:buffer'

/** A line has invalid syntax; the message states the reason. */
export class BadSyntax extends Error {}

/** The whole body is unusable: it is truncated or not UTF-8. */
export class MalformedText extends Error {}

/** The text has more lines with records than are taken. */
export class TooManyLines extends Error {}

/** A line of invalid syntax. */
export interface BadLine {
  /** From 1. */
  readonly line: number
  readonly detail: string
}

/** A format of which each line is a record, a comment or blank. */
export interface LineFormat<Item> {
  /** What the bound names its records. */
  readonly plural: string
  readonly maxItems: number
  /** The record of a line, null when it holds none. Throws `BadSyntax`. */
  readonly read: (text: string, line: number) => Item | null
  /** Where the record that begins at `start` ends, for formats in which a newline may be part of one. */
  readonly endOf?: (text: string, start: number) => number
}

/** Lines, and characters of them, that are read between two yields to the event loop. */
const LINES_AT_ONCE = 1_000
const CHARS_AT_ONCE = 256 * 1024
/** Far longer than a record is that is taken. */
const MAX_LINE_CHARS = 256 * 1024
const MAX_SHOWN = 60

/**
 * Parses a body by lines and yields to the event loop between steps. Malformed lines are reported and skipped.
 * Throws `MalformedText`, `TooManyLines`, and what `read` throws but for `BadSyntax`.
 */
export function* readLines<Item>(body: Buffer, format: LineFormat<Item>): Generator<void, (Item | BadLine)[]> {
  if (!isUtf8(body)) throw new MalformedText('the body is not UTF-8')
  const { plural, maxItems, endOf = endOfLine } = format
  const text = body.toString('utf8')
  const items: (Item | BadLine)[] = []
  let line = 1
  let [lines, chars] = [0, 0]
  for (let start = 0; start < text.length;) {
    const end = endOf(text, start)
    const item = itemOf(format, text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end), line)
    if (item !== null && items.push(item) > maxItems) throw new TooManyLines(`a request must not exceed ${maxItems} ${plural}`)
    line += newlinesIn(text, start, end) + 1
    chars += end - start
    start = end + 1
    if (++lines < LINES_AT_ONCE && chars < CHARS_AT_ONCE) continue
    yield
    ;[lines, chars] = [0, 0]
  }
  return items
}

/** Where the line that begins at `start` ends. */
export function endOfLine(text: string, start: number): number {
  const newline = text.indexOf('\n', start)
  return newline < 0 ? text.length : newline
}

/** A text at fault, as a message shows it. */
export function shown(text: string): string {
  return JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text)
}

function itemOf<Item>({ read }: LineFormat<Item>, text: string, line: number): Item | BadLine | null {
  if (text.length > MAX_LINE_CHARS) return { line, detail: `a line must not exceed ${MAX_LINE_CHARS} characters` }
  try {
    return read(text, line)
  } catch (error) {
    if (error instanceof BadSyntax) return { line, detail: error.message }
    throw error
  }
}

function newlinesIn(text: string, start: number, end: number): number {
  let count = 0
  for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count++
  return count
}
