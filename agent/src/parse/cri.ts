import type { ParsedLine } from './parsed-line.js'

const LINE = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})) (stdout|stderr) ([FP])(?::\S*)? (.*)$/s

/**
 * A line of the files of container runtimes (`/var/log/pods`): time, output, F for a whole line or P for a part of one. Null
 * for any other.
 */
export function parseCri(line: string): ParsedLine | null {
  const found = LINE.exec(line)
  if (found === null || Number.isNaN(Date.parse(found[1]!))) return null
  const [, timestamp, output, tag, message] = found as unknown as readonly [string, string, string, string, string]
  if (message === '') return null
  return { message, timestamp, fields: { stream: output, ...(tag === 'P' && { _partial: true }) } }
}
