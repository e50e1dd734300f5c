import type { Logger } from 'pino'
import { destination, pino } from 'pino'

const STDERR = 2
/** Names of fields that carry credentials; their values are never logged. */
const SECRETS = [
  'authorization',
  'cookie',
  'password',
  'secret',
  'token',
  'access_token',
  'refresh_token',
  'key',
  '["x-api-key"]'
]
const REDACTED = SECRETS.flatMap(name => [
  name,
  name.startsWith('[') ? `*${name}` : `*.${name}`,
  name.startsWith('[') ? `*.*${name}` : `*.*.${name}`
])

/** Structured log lines on stderr (stdout is for people), credentials redacted. */
export function createLogger(level: string): Logger {
  return pino(
    { level, base: null, redact: { paths: REDACTED, censor: '[redacted]' }, timestamp: pino.stdTimeFunctions.isoTime },
    destination({ fd: STDERR, sync: true })
  )
}
