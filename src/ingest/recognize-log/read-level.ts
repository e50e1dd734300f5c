import { levelOfSeverity, parseSeverity, type Severity } from '../../domain/severity.js'

/** A level as it was sent, and what it means. */
export interface ReadLevel {
  readonly text: string
  readonly severity: Severity
}

/** Longer strings are not levels. */
const MAX_LENGTH = 64
const MAX_SEVERITY = 24
// Thresholds of a level, highest first, and their OTel severity numbers.
const PYTHON = [
  [50, 18],
  [40, 17],
  [30, 13],
  [20, 9],
  [10, 5],
  [1, 1]
] as const
/** Words and letters that are levels elsewhere, and at `status` how a job, an order or a request went. */
const OUTCOME = /^(?:ok|success|audit|[a-z]|d[1-5])$/i
const LOGBACK = [
  [40_000, 17],
  [30_000, 13],
  [20_000, 9],
  [10_000, 5],
  [1, 1]
] as const

function severity(severityNumber: number): Severity {
  return { level: levelOfSeverity(severityNumber), severityNumber }
}

function byThreshold(
  value: unknown,
  thresholds: readonly (readonly [least: number, severityNumber: number])[]
): ReadLevel | null {
  const number = Number(value)
  const found = Number.isInteger(number) ? thresholds.find(([least]) => number >= least) : undefined
  return found === undefined ? null : { text: String(value), severity: severity(found[1]) }
}

function bySeverityNumber(value: unknown): ReadLevel | null {
  const number = Number(value)
  const isKnown = Number.isInteger(number) && number >= 1 && number <= MAX_SEVERITY
  return isKnown ? { text: String(value), severity: severity(number) } : null
}

function byText(text: string): ReadLevel | null {
  return text === '' || text.length > MAX_LENGTH ? null : { text, severity: parseSeverity(text) }
}

/** The last name of a path: `levelno` of `extra.levelno`. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1)
}

/** A number that is a level neither of syslog nor of pino: Monolog sends the name of such a one in `level_name`. */
export function isUnknownNumber(value: unknown): boolean {
  return typeof value === 'number' && parseSeverity(String(value)).severityNumber === 0
}

/** The level at a member; what a number means follows from the member's name. Null when it is not a level. */
export function readLevel(path: string, value: unknown): ReadLevel | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  switch (nameOf(path)) {
    case 'levelno':
      return byThreshold(value, PYTHON)
    case 'level_value':
      return byThreshold(value, LOGBACK)
    case 'severity_number':
    case 'severityNumber':
      return bySeverityNumber(value)
    case 'status': {
      // Of a request or a job more often than of a log: only a word that is a level and nothing else.
      const read = typeof value === 'string' && !/^\d/.test(value) && !OUTCOME.test(value) ? byText(value) : null
      return read !== null && read.severity.severityNumber > 0 ? read : null
    }
    default:
      return byText(String(value))
  }
}
