import type { LogItem } from './log-item.js'

/** Characters of ASCII that JSON does not escape. */
const PLAIN = /^[ !#-[\]-~]*$/

/** Up to here a loop takes less time than the call of an expression. */
const SHORT_CHARS = 32

function isPlain(text: string): boolean {
  if (text.length > SHORT_CHARS) return PLAIN.test(text)
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x20 || code > 0x7e || code === 0x22 || code === 0x5c) return false
  }
  return true
}

function quoted(text: string): string {
  return isPlain(text) ? `"${text}"` : JSON.stringify(text)
}

/** Undefined for what JSON leaves out. */
function valueJson(value: unknown): string | undefined {
  if (typeof value === 'string') return quoted(value)
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : JSON.stringify(value)
}

function fieldsJson(fields: Readonly<Record<string, unknown>>): string {
  let json = ''
  for (const name of Object.keys(fields)) {
    const value = valueJson(fields[name])
    if (value !== undefined) json += `${json === '' ? '' : ','}${quoted(name)}:${value}`
  }
  return `{${json}}`
}

/** A record in JSON. Member by member it takes half the time of `JSON.stringify`. */
export function itemJson({ message, timestamp, host, service, level, trace_id, span_id, log_fields }: LogItem): string {
  let json = `{"message":${quoted(message)}`
  if (timestamp !== undefined) json += `,"timestamp":${quoted(timestamp)}`
  if (host !== undefined) json += `,"host":${quoted(host)}`
  if (service !== undefined) json += `,"service":${quoted(service)}`
  if (level !== undefined) json += `,"level":${quoted(level)}`
  if (trace_id !== undefined) json += `,"trace_id":${quoted(trace_id)}`
  if (span_id !== undefined) json += `,"span_id":${quoted(span_id)}`
  if (log_fields !== undefined) json += `,"log_fields":${fieldsJson(log_fields)}`
  return `${json}}`
}
