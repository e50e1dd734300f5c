import type { FastifyRequest } from 'fastify'
import { GatewayError } from '../domain/errors.js'
import { LOG_OVERRIDES, type LogOverride, type LogOverrides } from '../ingest/recognise-log/log-overrides.js'

/** What VictoriaLogs calls the same parameters and headers: its users change the URL alone. */
const OTHER_NAMES: Readonly<Partial<Record<LogOverride, readonly string[]>>> = {
  message_field: ['_msg_field'],
  time_field: ['_time_field'],
  tag_fields: ['_stream_fields'],
  tags: ['extra_fields']
}
const OTHER_HEADERS: Readonly<Partial<Record<LogOverride, string>>> = {
  message_field: 'vl-msg-field',
  time_field: 'vl-time-field',
  tag_fields: 'vl-stream-fields',
  tags: 'vl-extra-fields',
  ignore_fields: 'vl-ignore-fields'
}

function parameter(req: FastifyRequest, override: LogOverride): string | undefined {
  for (const name of [override, ...(OTHER_NAMES[override] ?? [])]) {
    const value = (req.query as Readonly<Record<string, unknown>>)[name]
    if (value === undefined || value === '') continue
    if (typeof value === 'string') return value
    throw new GatewayError('invalid_field', `${name} may be given once`, { field: name })
  }
  return undefined
}

function header(req: FastifyRequest, override: LogOverride): string | undefined {
  const own = req.headers[`x-alidade-${override.replaceAll('_', '-')}`]
  const value = own ?? req.headers[OTHER_HEADERS[override] ?? '']
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The overrides of a request: query parameters before headers. */
export function logOverridesOf(req: FastifyRequest): LogOverrides {
  const found: Partial<Record<LogOverride, string>> = {}
  for (const override of LOG_OVERRIDES) {
    const value = parameter(req, override) ?? header(req, override)
    if (value !== undefined) found[override] = value
  }
  return found
}
