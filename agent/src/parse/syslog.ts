import { formatTime } from './log-item.js'
import type { ParsedLine } from './parsed-line.js'

/** What a line of syslog states. */
export interface SyslogLine extends ParsedLine {
  readonly timestamp: string
}

const PRIORITY = /^<(\d{1,3})>/
const WRITTEN = /^([A-Z][a-z]{2}) ([ \d]\d) (\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))? (\S{1,255}) /
const ISO = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})) (\S{1,255}) /
const VERSION_1 =
  /^1 (\S+) (\S{1,255}) (\S{1,48}) (\S{1,128}) (\S{1,32}) (?:-|((?:\[(?:[^\]"\\]|"(?:[^"\\]|\\.)*"|\\.)*\])+))(?: |$)/
const TAG = /^([^\s:[\]]{1,64})(?:\[([^\]]{1,32})\])?: ?/
const PARAMETER = /([!-~]+?)="((?:[^"\\]|\\.)*)"/g
const ELEMENT = /\[([^\s\]="]+)((?:[^\]"\\]|"(?:[^"\\]|\\.)*"|\\.)*)\]/g
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const NIL = '-'
const BYTE_ORDER_MARK = 0xfeff
const LAST_PRIORITY = 191
const DAY_MS = 86_400_000

/** Members are added one by one: objects that are spread into another one cost most of the time of a line. */
type Found = { -readonly [Name in keyof SyslogLine]: SyslogLine[Name] }

/** As journald and the service spell levels. */
const LEVELS = ['0', '1', '2', '3', '4', '5', '6', '7'] as const

/** The time of a line without year and zone: local, in the year that is not more than a day after `readMs`. */
function inferTime(parts: readonly string[], readMs: number): string | null {
  const [, month, day, hour, minute, second, fraction = ''] = parts
  const index = MONTHS.indexOf(month!)
  if (index < 0) return null
  const at = (year: number): Date => new Date(year, index, Number(day), Number(hour), Number(minute), Number(second))
  const year = new Date(readMs).getFullYear()
  const date = [at(year + 1), at(year)].find(one => one.getTime() <= readMs + DAY_MS) ?? at(year - 1)
  if (date.getMonth() !== index || date.getDate() !== Number(day)) return null
  return formatTime(date.getTime(), Number(fraction.padEnd(9, '0')))
}

function unescape(value: string): string {
  return value.replace(/\\(["\\\]])/g, '$1')
}

function addStructured(fields: Record<string, unknown>, data: string): void {
  for (const [, id, parameters] of data.matchAll(ELEMENT)) {
    for (const [, name, value] of parameters!.matchAll(PARAMETER)) fields[`${id}.${name}`] = unescape(value!)
  }
}

/** RFC 5424; null for a line that is not. */
function version1(rest: string, priority: number): SyslogLine | null {
  const found = VERSION_1.exec(rest)
  if (found === null) return null
  const [all, time, host, app, pid, id, data] = found
  if (time === NIL || Number.isNaN(Date.parse(time!))) return null
  const from = rest.charCodeAt(all.length) === BYTE_ORDER_MARK ? all.length + 1 : all.length
  if (from === rest.length) return null
  const fields: Record<string, unknown> = { facility: priority >> 3 }
  if (pid !== NIL) fields['pid'] = pid
  if (id !== NIL) fields['msgid'] = id
  if (data !== undefined) addStructured(fields, data)
  const line: Found = { message: rest.slice(from), timestamp: time!, level: LEVELS[priority & 7]!, fields }
  if (host !== NIL) line.host = host!
  if (app !== NIL) line.service = app!
  return line
}

/** A line of RFC 3164 behind its host: the program, `app[pid]: `, and the message; null without a message. */
function tagged(
  text: string,
  { timestamp, host }: Pick<SyslogLine, 'timestamp' | 'host'>,
  priority: number | null
): SyslogLine | null {
  if (text === '') return null
  const found: Found = { message: text, timestamp, host: host! }
  const fields: Record<string, unknown> = {}
  const tag = TAG.exec(text)
  if (tag !== null && tag[0].length < text.length) {
    found.message = text.slice(tag[0].length)
    found.service = tag[1]!
    if (tag[2] !== undefined) fields['pid'] = tag[2]
  }
  if (priority !== null) {
    found.level = LEVELS[priority & 7]!
    fields['facility'] = priority >> 3
  }
  if (Object.keys(fields).length > 0) found.fields = fields
  return found
}

/**
 * A line of RFC 3164, RFC 5424 or rsyslog's file formats; null for any other. Year and zone that are missing are those of
 * this host at `readMs`, Unix milliseconds.
 */
export function parseSyslog(line: string, readMs: number): SyslogLine | null {
  const prefix = PRIORITY.exec(line)
  const priority = prefix === null ? null : Number(prefix[1])
  if (priority !== null && priority > LAST_PRIORITY) return null
  const rest = prefix === null ? line : line.slice(prefix[0].length)
  if (priority !== null && rest.startsWith('1 ')) return version1(rest, priority)
  const iso = ISO.exec(rest)
  const written = iso === null ? WRITTEN.exec(rest) : null
  const timestamp = iso?.[1] ?? (written === null ? null : inferTime(written, readMs))
  if (timestamp === null || Number.isNaN(Date.parse(timestamp))) return null
  return tagged(rest.slice((iso ?? written)![0].length), { timestamp, host: iso?.[2] ?? written![7]! }, priority)
}
