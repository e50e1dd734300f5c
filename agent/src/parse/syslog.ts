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
const LAST_PRIORITY = 191
const DAY_MS = 86_400_000

function levelOf(priority: number | null): { level?: string; facility?: number } {
  return priority === null ? {} : { level: String(priority & 7), facility: priority >> 3 }
}

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

function structured(data: string | undefined): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [, id, parameters] of (data ?? '').matchAll(ELEMENT)) {
    for (const [, name, value] of parameters!.matchAll(PARAMETER)) fields[`${id}.${name}`] = unescape(value!)
  }
  return fields
}

function given(value: string): string | undefined {
  return value === '-' ? undefined : value
}

/** RFC 5424; null for a line that is not. */
function version1(rest: string, priority: number): SyslogLine | null {
  const found = VERSION_1.exec(rest)
  if (found === null) return null
  const [all, time, host, app, pid, id, data] = found
  if (given(time!) === undefined || Number.isNaN(Date.parse(time!))) return null
  const { level, facility } = levelOf(priority)
  const message = rest.slice(all.length).replace(/^\uFEFF/, '')
  if (message === '') return null
  const fields = {
    facility,
    ...(given(pid!) !== undefined && { pid: pid! }),
    ...(given(id!) !== undefined && { msgid: id! }),
    ...structured(data)
  }
  return {
    message,
    timestamp: time!,
    ...(given(host!) !== undefined && { host: host! }),
    ...(given(app!) !== undefined && { service: app! }),
    ...(level !== undefined && { level }),
    fields
  }
}

/** The program of a message, `app[pid]: `, and the rest. */
function tagged(rest: string): { readonly message: string; readonly service?: string; readonly pid?: string } {
  const found = TAG.exec(rest)
  if (found === null || found[0].length === rest.length) return { message: rest }
  return { message: rest.slice(found[0].length), service: found[1]!, ...(found[2] !== undefined && { pid: found[2] }) }
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
  const { message, service, pid } = tagged(rest.slice((iso ?? written)![0].length))
  if (message === '') return null
  const { level, facility } = levelOf(priority)
  const fields = { ...(pid !== undefined && { pid }), ...(facility !== undefined && { facility }) }
  return {
    message,
    timestamp,
    host: iso?.[2] ?? written![7]!,
    ...(service !== undefined && { service }),
    ...(level !== undefined && { level }),
    ...(Object.keys(fields).length > 0 && { fields })
  }
}
