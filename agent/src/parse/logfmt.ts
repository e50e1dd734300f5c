import type { ParsedLine } from './parsed-line.js'

const PAIR = /([^\s="]{1,256})(?:=(?:"((?:[^"\\]|\\.)*)"|([^\s"]*)))?(?:\s+|$)/gsy
const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/
const LEVEL = /^(?:trace|debug|info|notice|warn|warning|error|err|crit|critical|fatal|panic|dpanic)$/i
const MAX_PAIRS = 200
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

function unescape(value: string): string {
  return value.replace(/\\(.)/gs, (_, char: string) => ESCAPED[char] ?? char)
}

/** The pairs of a line, with `true` for a key alone; null for a line that has other things between them, or none with a value. */
function pairsOf(line: string): Map<string, string | true> | null {
  const pairs = new Map<string, string | true>()
  let hasValue = false
  PAIR.lastIndex = 0
  for (let end = 0; end < line.length; end = PAIR.lastIndex) {
    const found = PAIR.exec(line)
    if (found === null || pairs.size >= MAX_PAIRS) return null
    const [, key, quoted, bare] = found
    hasValue ||= quoted !== undefined || bare !== undefined
    pairs.set(key!, quoted === undefined ? (bare ?? true) : unescape(quoted))
  }
  return hasValue ? pairs : null
}

/** Removes the first of some keys whose value is usable, and returns it. */
function take(
  pairs: Map<string, string | true>,
  keys: readonly string[],
  isUsable: (value: string) => boolean
): string | undefined {
  for (const key of keys) {
    const value = pairs.get(key)
    if (typeof value !== 'string' || !isUsable(value)) continue
    pairs.delete(key)
    return value
  }
  return undefined
}

/**
 * A line of pairs, `level=info msg="order paid" order=7` (slog, logrus, Grafana): message, time, level and ids by their usual
 * keys, the others as fields, numbers as numbers. Null for a line that is not of pairs alone.
 */
export function parseLogfmt(text: string): ParsedLine | null {
  const line = text.trim()
  const pairs = pairsOf(line)
  if (pairs === null) return null
  const message = take(pairs, ['msg', 'message'], value => value !== '') ?? line
  const timestamp = take(pairs, ['time', 'ts', 'timestamp', 't'], value => TIME.test(value) && !Number.isNaN(Date.parse(value)))
  const level = take(pairs, ['level', 'lvl', 'severity'], value => LEVEL.test(value))
  const traceId = take(pairs, ['trace_id', 'traceID', 'traceId'], value => /^[0-9a-f]{32}$/i.test(value))
  const spanId = take(pairs, ['span_id', 'spanID', 'spanId'], value => /^[0-9a-f]{16}$/i.test(value))
  const fields = [...pairs].map(([key, value]): [string, unknown] => [
    key,
    typeof value === 'string' && NUMBER.test(value) ? Number(value) : value
  ])
  return {
    message,
    ...(timestamp !== undefined && { timestamp }),
    ...(level !== undefined && { level }),
    ...(traceId !== undefined && { traceId }),
    ...(spanId !== undefined && { spanId }),
    ...(fields.length > 0 && { fields: Object.fromEntries(fields) })
  }
}
