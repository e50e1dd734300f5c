import { LocalTimes } from './local-times.js'
import { Version1Lines } from './rfc5424.js'
import { type Found, LEVELS, type SyslogLine } from './syslog-line.js'

const PRIORITY = /^<(\d{1,3})>/
/** Some daemons leave the host out (`syslogd -S` of BusyBox). */
const WRITTEN = /^([A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))? (?:(?!\S*: )(\S{1,255}) )?/
const ISO = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})) (\S{1,255}) /
const TAG = /^([^\s:[\]]{1,64})(?:\[([^\]]{1,32})\])?: ?/
const LAST_PRIORITY = 191

/** A line of RFC 3164 behind its host: the program, `app[pid]: `, and the message; null without a message. */
function tagged(text: string, timestamp: string, host: string | undefined, priority: number | null): SyslogLine | null {
  if (text === '') return null
  const found: Found = { message: text, timestamp }
  if (host !== undefined) found.host = host
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

/** Lines that were read at one time, of RFC 3164, RFC 5424 or rsyslog's file formats. */
export class SyslogLines {
  readonly #times: LocalTimes
  readonly #version1 = new Version1Lines()

  /** @param readMs when they were read, Unix milliseconds: for lines without year and zone. */
  constructor(readMs: number) {
    this.#times = new LocalTimes(readMs)
  }

  /** Null for a line of another format. */
  parse(line: string): SyslogLine | null {
    const prefix = PRIORITY.exec(line)
    const priority = prefix === null ? null : Number(prefix[1])
    if (priority !== null && priority > LAST_PRIORITY) return null
    const rest = prefix === null ? line : line.slice(prefix[0].length)
    if (priority !== null && rest.startsWith('1 ')) return this.#version1.parse(rest, priority)
    const iso = ISO.exec(rest)
    if (iso !== null) {
      const [head, timestamp, host] = iso
      return Number.isNaN(Date.parse(timestamp!)) ? null : tagged(rest.slice(head.length), timestamp!, host, priority)
    }
    const [head = '', second = '', fraction, host] = WRITTEN.exec(rest) ?? []
    const timestamp = head === '' ? null : this.#times.timeOf(second, fraction)
    return timestamp === null ? null : tagged(rest.slice(head.length), timestamp, host, priority)
  }
}
