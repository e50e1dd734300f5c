import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { GatewayError } from '../domain/errors.js'
import { LOG_OVERRIDES, type LogOverride, type LogOverrides } from '../ingest/recognize-log/override-names.js'

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

interface OverrideNames {
  readonly override: LogOverride
  readonly parameters: readonly string[]
  /** In the order in which they count. */
  readonly headers: readonly string[]
}

/** Made once: requests of single logs would pay for it noticeably. */
const NAMES: readonly OverrideNames[] = LOG_OVERRIDES.map(override => {
  const other = OTHER_HEADERS[override]
  return {
    override,
    parameters: [override, ...(OTHER_NAMES[override] ?? [])],
    headers: [`x-alidade-${override.replaceAll('_', '-')}`, ...(other === undefined ? [] : [other])]
  }
})

function parameter(query: Readonly<Record<string, unknown>>, { parameters }: OverrideNames): string | undefined {
  for (const name of parameters) {
    const value = query[name]
    if (value === undefined || value === '') continue
    if (typeof value === 'string') return value
    throw new GatewayError('invalid_field', `${name} must not be repeated`, { field: name })
  }
  return undefined
}

function header(headers: IncomingHttpHeaders, { headers: names }: OverrideNames): string | undefined {
  for (const name of names) {
    const value = headers[name]
    if (value !== undefined) return typeof value === 'string' && value !== '' ? value : undefined
  }
  return undefined
}

/** Whether any header may be an override: few requests have one, and looking for each by name costs more than a small body. */
function hasOverride(headers: IncomingHttpHeaders): boolean {
  for (const name in headers) if (name.startsWith('x-alidade-') || name.startsWith('vl-')) return true
  return false
}

function isEmpty(query: object): boolean {
  for (const _ in query) return false
  return true
}

const NO_OVERRIDES: LogOverrides = {}

/** The overrides of a request: query parameters before headers. */
export function logOverridesOf(req: FastifyRequest): LogOverrides {
  const query = req.query as Readonly<Record<string, unknown>>
  if (isEmpty(query) && !hasOverride(req.headers)) return NO_OVERRIDES
  const found: Partial<Record<LogOverride, string>> = {}
  for (const names of NAMES) {
    const value = parameter(query, names) ?? header(req.headers, names)
    if (value !== undefined) found[names.override] = value
  }
  return found
}
