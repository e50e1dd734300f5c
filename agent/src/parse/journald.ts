import { formatTime } from './log-item.js'
import type { ParsedLine } from './parsed-line.js'

type Fields = Readonly<Record<string, unknown>>

/** Fields that are members of the record, or equal to one. */
const USED: ReadonlySet<string> = new Set([
  ...['MESSAGE', 'PRIORITY', 'SYSLOG_IDENTIFIER', 'SYSLOG_TIMESTAMP', 'SYSLOG_RAW', 'SYSLOG_PID', 'MESSAGE_ID'],
  ...['__REALTIME_TIMESTAMP', '_SOURCE_REALTIME_TIMESTAMP', '_HOSTNAME', '_COMM']
])
const NAMES: Readonly<Record<string, string>> = {
  _PID: 'pid',
  _UID: 'uid',
  _SYSTEMD_UNIT: 'unit',
  _TRANSPORT: 'transport',
  SYSLOG_FACILITY: 'facility'
}

/** A field is a string, an array of bytes where it is not UTF-8, or an array of these where it is there several times. */
function stringOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  if (!Array.isArray(value)) return null
  if (value.every(one => typeof one === 'number')) return Buffer.from(value).toString('utf8')
  const all = value.map(stringOf)
  return all.every(one => one !== null) ? all.join('\n') : null
}

function timeOf(fields: Fields): string | null {
  const micros = stringOf(fields['_SOURCE_REALTIME_TIMESTAMP']) ?? stringOf(fields['__REALTIME_TIMESTAMP'])
  if (micros === null || !/^\d{13,16}$/.test(micros)) return null
  const us = Number(micros)
  return formatTime(Math.floor(us / 1_000), (us % 1_000) * 1_000)
}

/** The unit of systemd unless it is a session of a user, else what the program calls itself. */
function serviceOf(fields: Fields): string | null {
  const [, unit] = /^(.+)\.service$/.exec(stringOf(fields['_SYSTEMD_UNIT']) ?? '') ?? []
  if (unit !== undefined && !unit.startsWith('user@')) return unit
  return stringOf(fields['SYSLOG_IDENTIFIER']) ?? stringOf(fields['_COMM'])
}

function otherFields(fields: Fields): Readonly<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const [name, value] of Object.entries(fields)) {
    const text = USED.has(name) ? null : stringOf(value)
    if (text !== null && text !== '') found[NAMES[name] ?? name] = text
  }
  return found
}

/** The fields of an entry of the system journal, as JSON (`JournalEntry.text`). */
export function parseJournald(line: string): ParsedLine | null {
  const fields = JSON.parse(line) as Fields
  const timestamp = timeOf(fields)
  const host = stringOf(fields['_HOSTNAME'])
  const service = serviceOf(fields)
  const level = stringOf(fields['PRIORITY'])
  return {
    message: stringOf(fields['MESSAGE']) ?? '',
    ...(timestamp !== null && { timestamp }),
    ...(host !== null && { host }),
    ...(service !== null && { service }),
    ...(level !== null && { level }),
    fields: otherFields(fields)
  }
}
