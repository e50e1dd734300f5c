import { type Found, LEVELS, type SyslogLine } from './syslog-line.js'

const VERSION_1 =
  /^1 (\S+) (\S{1,255}) (\S{1,48}) (\S{1,128}) (\S{1,32}) (?:-|((?:\[(?:[^\]"\\]|"(?:[^"\\]|\\.)*"|\\.)*\])+))(?: |$)/
const PARAMETER = /([!-~]+?)="((?:[^"\\]|\\.)*)"/g
const ELEMENT = /\[([^\s\]="]+)((?:[^\]"\\]|"(?:[^"\\]|\\.)*"|\\.)*)\]/g
/** A time that is valid when its second is. */
const TIME = /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/
const SECOND_CHARS = 19
/** Begins a line behind its priority. */
const VERSION = '1 '
/** Host, program, process id, id of the message. */
const HEADER_PARTS = 4
const NIL = '-'
const BYTE_ORDER_MARK = 0xfeff

function unescape(value: string): string {
  return value.replace(/\\(["\\\]])/g, '$1')
}

function addStructured(fields: Record<string, unknown>, data: string): void {
  for (const [, id, parameters] of data.matchAll(ELEMENT)) {
    for (const [, name, value] of parameters!.matchAll(PARAMETER)) fields[`${id}.${name}`] = unescape(value!)
  }
}

/** A line of RFC 5424 up to its message: what its parts between time and message state. */
interface Header {
  readonly priority: number
  readonly host?: string
  readonly service?: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** Offset of the message of a line without structured data; 0 where it has any, or is too short. */
function messageAt(rest: string, timeEnd: number): number {
  let at = timeEnd
  for (let part = 0; part < HEADER_PARTS && at > 0; part++) at = rest.indexOf(' ', at + 1)
  return at > 0 && rest.startsWith(` ${NIL} `, at) ? at + 3 : 0
}

function headerOf(found: RegExpExecArray, priority: number): Header {
  const [, , host, app, pid, id, data] = found
  const fields: Record<string, unknown> = { facility: priority >> 3 }
  if (pid !== NIL) fields['pid'] = pid
  if (id !== NIL) fields['msgid'] = id
  if (data !== undefined) addStructured(fields, data)
  return { priority, fields, ...(host !== NIL && { host: host! }), ...(app !== NIL && { service: app! }) }
}

/**
 * Lines of RFC 5424. Most lines of a file have one of a few headers, and many are of one second: what is known of them is
 * not parsed again.
 */
export class Version1Lines {
  readonly #headers = new Map<string, Header>()
  #second = ''

  /** Null for a line that is not of it. @param rest behind its priority. */
  parse(rest: string, priority: number): SyslogLine | null {
    const timeEnd = rest.indexOf(' ', VERSION.length)
    const at = timeEnd < 0 ? 0 : messageAt(rest, timeEnd)
    if (at === 0) return this.#parseWhole(rest, priority, null)
    const text = rest.slice(timeEnd, at)
    const header = this.#headers.get(text)
    const timestamp = rest.slice(VERSION.length, timeEnd)
    if (header?.priority !== priority || !this.#isKnown(timestamp)) return this.#parseWhole(rest, priority, text)
    return lineOf(rest, at, timestamp, header)
  }

  #parseWhole(rest: string, priority: number, text: string | null): SyslogLine | null {
    const found = VERSION_1.exec(rest)
    if (found === null) return null
    const [head, timestamp] = found
    if (timestamp === NIL || Number.isNaN(Date.parse(timestamp!))) return null
    const header = headerOf(found, priority)
    if (text !== null) this.#headers.set(text, header)
    if (TIME.test(timestamp!)) this.#second = timestamp!.slice(0, SECOND_CHARS)
    return lineOf(rest, head.length, timestamp!, header)
  }

  /** Whether a time differs from a valid one in what follows its second, at most. */
  #isKnown(timestamp: string): boolean {
    return timestamp.startsWith(this.#second) && this.#second !== '' && TIME.test(timestamp)
  }
}

/** Null without a message. @param at where that begins. */
function lineOf(rest: string, at: number, timestamp: string, { priority, host, service, fields }: Header): SyslogLine | null {
  const from = rest.charCodeAt(at) === BYTE_ORDER_MARK ? at + 1 : at
  if (from >= rest.length) return null
  const line: Found = { message: rest.slice(from), timestamp, level: LEVELS[priority & 7]!, fields }
  if (host !== undefined) line.host = host
  if (service !== undefined) line.service = service
  return line
}
