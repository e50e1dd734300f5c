import type { ParsedLine } from './parsed-line.js'

const LINE = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})) (stdout|stderr) ([FP])(?::\S*)? (.*)$/s
const PART = /^(\S{20,35} (stdout|stderr) )P( |:)/

/**
 * A line of the files of container runtimes (`/var/log/pods`): time, output, F for a whole line or P for a part of one. Its
 * message may be empty. Null for any other.
 */
export function parseCri(line: string): ParsedLine | null {
  const found = LINE.exec(line)
  if (found === null || Number.isNaN(Date.parse(found[1]!))) return null
  const [, timestamp, output, tag, message] = found as unknown as readonly [string, string, string, string, string]
  return { message, timestamp, fields: { stream: output, ...(tag === 'P' && { _partial: true }) } }
}

/** The message of a line, which may be empty; null for a line that is not of a runtime. */
export function messageOfCri(line: string): string | null {
  return LINE.exec(line)?.[4] ?? null
}

/** `stdout` or `stderr` of a line that is a part of a longer one, but not its last; null for any other. */
export function outputOfPart(line: string): string | null {
  return PART.exec(line)?.[2] ?? null
}

/** The part as a whole line. */
export function asWhole(part: string): string {
  return part.replace(PART, '$1F$3')
}
