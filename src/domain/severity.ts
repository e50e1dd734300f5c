/** Names of the six OpenTelemetry severity ranges, weakest first (OTel logs data model, SeverityNumber). */
export const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
/** One of `LEVELS`. */
export type Level = (typeof LEVELS)[number]

/** A level as it is stored: canonical name, OTel severity number (0 = unknown), and the text that was sent. */
export interface Severity {
  /** One of `LEVELS`, or the lower-cased text when the level is unknown; null when none was sent. */
  readonly level: string | null
  readonly severityNumber: number
}

const ALIASES: Readonly<Record<string, number>> = Object.assign(Object.create(null) as Record<string, number>, {
  trace: 1,
  trc: 1,
  t: 1,
  finest: 1,
  finer: 2,
  verbose: 3,
  debug: 5,
  dbg: 5,
  d: 5,
  d1: 5,
  d2: 5,
  d3: 5,
  d4: 5,
  d5: 5,
  fine: 5,
  info: 9,
  inf: 9,
  i: 9,
  information: 9,
  informational: 9,
  notice: 10,
  audit: 10,
  success: 9,
  ok: 9,
  warn: 13,
  wrn: 13,
  w: 13,
  warning: 13,
  error: 17,
  e: 17,
  err: 17,
  severe: 17,
  critical: 18,
  crit: 18,
  dpanic: 18,
  alert: 19,
  fatal: 21,
  ftl: 21,
  f: 21,
  panic: 21,
  emerg: 22,
  emergency: 22
})
// RFC 5424 severities 0 (emergency) to 7 (debug), and pino's 10 to 60.
const SYSLOG = [22, 19, 18, 17, 13, 10, 9, 5]
const PINO: Readonly<Record<number, number>> = { 10: 1, 20: 5, 30: 9, 40: 13, 50: 17, 60: 21 }
/** A level of Go's slog between its names: `INFO+2`. OpenTelemetry numbers its levels, which are 4 apart, from 1. */
const SLOG = /^(debug|info|warn|error)([+-]\d{1,2})$/
const MAX_SEVERITY = 24
const UNKNOWN: Severity = { level: null, severityNumber: 0 }

/** The range that an OTel severity number belongs to; null for 0 and numbers out of 1 to 24. */
export function levelOfSeverity(severityNumber: number): Level | null {
  if (severityNumber < 1 || severityNumber > 24) return null
  return LEVELS[Math.floor((severityNumber - 1) / 4)]!
}

function ofSlog(lower: string): number {
  const [, name, offset] = SLOG.exec(lower) ?? []
  return name === undefined ? 0 : Math.min(MAX_SEVERITY, Math.max(1, ALIASES[name]! + Number(offset)))
}

const seen = new Map<string, Severity>()
const MAX_SEEN = 1024

function lookUp(text: string): Severity {
  const lower = text.trim().toLowerCase()
  if (lower === '') return UNKNOWN
  const numeric = /^\d{1,2}$/.test(lower) ? Number(lower) : -1
  const severityNumber = ALIASES[lower] ?? (numeric >= 0 ? (SYSLOG[numeric] ?? PINO[numeric] ?? 0) : ofSlog(lower))
  return { level: levelOfSeverity(severityNumber) ?? lower, severityNumber }
}

/** Maps a sent level (case-insensitive, aliases, syslog 0-7, pino 10-60, slog's `INFO+2`) to its canonical form; unknown strings keep severity 0. */
export function parseSeverity(text: string): Severity {
  const known = seen.get(text)
  if (known) return known
  const severity = lookUp(text)
  if (seen.size < MAX_SEEN) seen.set(text, severity)
  return severity
}
