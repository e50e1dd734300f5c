import type { FileSource, LineFormat } from '../config/config.js'
import type { Line } from '../files/line-splitter.js'
import { parseCri } from './cri.js'
import { formatTimesAt, type LogItem } from './log-item.js'
import { parseJournald } from './journald.js'
import { parseLogfmt } from './logfmt.js'
import type { ParsedLine } from './parsed-line.js'
import { joinLines, recordRule } from './record-lines.js'
import { SyslogLines } from './syslog.js'

type LineParser = (line: string) => ParsedLine | null

/** What a line of a format states; null for a line that is not of it. JSON is parsed by the service (`parse_message`). */
const PARSERS: Readonly<Record<Exclude<LineFormat, 'syslog'>, LineParser>> = {
  plain: () => null,
  json: () => null,
  logfmt: parseLogfmt,
  cri: parseCri,
  journald: parseJournald,
  docker: parseCri
}

/** @param readMs when the lines were read, Unix milliseconds. */
function parserOf(format: LineFormat, readMs: number): LineParser {
  if (format !== 'syslog') return PARSERS[format]
  const lines = new SyslogLines(readMs)
  return line => lines.parse(line)
}

/** A line that the service reads the time of, or takes the time of its arrival for. */
function isJson(text: string, format: LineFormat): boolean {
  return format === 'json' && /^\s*\{/.test(text)
}

/** Fields of records whose time is when they were read. All of plain lines are: there it is a default of the batch. */
export const READ_TIME = Object.freeze({ _read_time: true })

/** Members are added one by one: objects that are spread into another one cost a third of the time of a line. */
type MutableItem = { -readonly [Name in keyof LogItem]: LogItem[Name] }

/** Members of the record that are not of the format. */
function fieldsOf(
  { isPartial, isTruncated }: Line,
  parsed: ParsedLine | null,
  app: string | undefined,
  isMarked: boolean
): Readonly<Record<string, unknown>> | null {
  const own = parsed?.fields
  const hasMarks = isMarked || isPartial || isTruncated || app !== undefined
  if (!hasMarks) return own !== undefined && Object.keys(own).length > 0 ? own : null
  const fields: Record<string, unknown> = app === undefined ? {} : { app }
  for (const name in own) fields[name] = own[name]
  if (isMarked) Object.assign(fields, READ_TIME)
  if (isPartial) fields['_partial'] = true
  if (isTruncated) fields['_truncated'] = true
  return fields
}

/** Whether a line has no message. */
function isBlank({ text }: Line, parsed: ParsedLine | null): boolean {
  return text === '' || parsed?.message === ''
}

/** A line, what its format states of it, and what further lines add to its message. */
interface ReadLine {
  readonly line: Line
  readonly parsed: ParsedLine | null
  readonly more: string
}

/** @param readTime of a line without a time. */
function toItem({ line, parsed, more }: ReadLine, source: FileSource, readTime: () => string): LogItem {
  const { format, service } = source
  const isTimed = parsed?.timestamp !== undefined || isJson(line.text, format)
  // A service of the configuration is meant for the whole file.
  const fields = fieldsOf(line, parsed, service === null ? undefined : parsed?.service, !isTimed && format !== 'plain')
  const message = parsed?.message ?? line.text
  const item: MutableItem = { message: more === '' ? message : message + more }
  if (parsed?.timestamp !== undefined) item.timestamp = parsed.timestamp
  else if (!isTimed) item.timestamp = readTime()
  if (parsed?.host !== undefined) item.host = parsed.host
  if (service === null && parsed?.service !== undefined) item.service = parsed.service
  if (parsed?.level !== undefined) item.level = parsed.level
  if (parsed?.traceId !== undefined) item.trace_id = parsed.traceId
  if (parsed?.spanId !== undefined) item.span_id = parsed.spanId
  if (fields !== null) item.log_fields = fields
  return item
}

/**
 * Makes the records of a part of a file: the same for the same lines and time of reading. Lines without a time get that
 * time, one nanosecond apart, and `READ_TIME`, but for plain lines. Blank lines are not records, nor are lines that
 * continue one. `take` is called with each: thousands of records at once are what collections of garbage cost most.
 * @returns how many of the records are not of the format.
 */
export function eachItem(lines: readonly Line[], source: FileSource, readMs: number, take: (item: LogItem) => void): number {
  const parse = parserOf(source.format, readMs)
  const timeOf = formatTimesAt(readMs)
  const begins = recordRule(source)
  let unparsed = 0
  const isUnparsed = ({ text }: Line, parsed: ParsedLine | null): boolean =>
    parsed === null && source.format !== 'plain' && !isJson(text, source.format)
  if (begins !== null) {
    for (const { line, index, more } of joinLines(lines, source, begins)) {
      const parsed = line.text === '' ? null : parse(line.text)
      if (isBlank(line, parsed) && more === '') continue
      if (isUnparsed(line, parsed)) unparsed++
      take(toItem({ line, parsed, more }, source, () => timeOf(index)))
    }
    return unparsed
  }
  for (const [index, line] of lines.entries()) {
    const parsed = line.text === '' ? null : parse(line.text)
    if (isBlank(line, parsed)) continue
    if (isUnparsed(line, parsed)) unparsed++
    take(toItem({ line, parsed, more: '' }, source, () => timeOf(index)))
  }
  return unparsed
}
