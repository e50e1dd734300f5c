import { BLANK, classOf } from './chars.js'

/** Most characters of a message that count for its pattern. */
export const MAX_HEAD = 4096

/** First line of a stack of Python, which names its exception in the last one. */
const TRACEBACK = 'Traceback (most recent call last)'

const ESCAPE = 27

/** Escapes begin a sequence, which the scanner skips as a whole. */
function isBlankAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return (classOf(code) & BLANK) !== 0 && code !== ESCAPE
}

/**
 * Where the part of a message begins that names its pattern: its first line that is not blank; of a stack of Python its
 * last one, unless only blanks are in the last `MAX_HEAD` characters.
 */
export function headStart(message: string): number {
  const limit = Math.min(message.length, MAX_HEAD)
  let start = 0
  while (start < limit && isBlankAt(message, start)) start++
  if (message.charCodeAt(start) !== 84 || !message.startsWith(TRACEBACK, start)) return start
  const floor = Math.max(start, message.length - MAX_HEAD)
  let end = message.length
  while (end > floor && isBlankAt(message, end - 1)) end--
  return end === floor ? start : message.lastIndexOf('\n', end - 1) + 1
}

/** Where that part ends: with its line. The lines below are frames of a stack, a dump or a table. */
export function headEnd(message: string, start: number): number {
  const limit = Math.min(message.length, start + MAX_HEAD)
  const newline = message.indexOf('\n', start)
  const end = newline < 0 || newline > limit ? limit : newline
  return isWithinPair(message, end) ? end - 1 : end
}

/** Whether a position is between both halves of a character beyond the first 65,536. */
function isWithinPair(message: string, at: number): boolean {
  return at > 0 && (message.charCodeAt(at - 1) & 0xfc00) === 0xd800 && (message.charCodeAt(at) & 0xfc00) === 0xdc00
}
