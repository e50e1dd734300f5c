import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import { GatewayError } from '../../domain/errors.js'
import type { IngestResponse } from '../../ingest/ingest-request.js'
import { sendInfluxErrors } from '../influx-error.js'
import { setOverflowHeaders } from '../overflow-headers.js'
import { queryParameter, type WriteRoute, writeRoutes } from './ingest-route.js'
import type { PushRouteDeps } from './metric-text.js'

/** Where clients of InfluxDB 2 and 1 write; the first of each is in the OpenAPI document. */
const SECOND = ['/api/v1/influx/api/v2/write', '/api/v2/write'] as const
const FIRST = ['/api/v1/influx/write', '/write'] as const

const UNITS_OF_SECOND: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n]
])
const UNITS_OF_FIRST: ReadonlyMap<string, bigint> = new Map([
  ...UNITS_OF_SECOND,
  ['n', 1n],
  ['u', 1_000n],
  ['µ', 1_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n]
])

function factsWith(units: ReadonlyMap<string, bigint>): WriteRoute['facts'] {
  return (req: FastifyRequest) => {
    const timeUnitNs = units.get(queryParameter(req, 'precision') ?? 'ns')
    if (timeUnitNs !== undefined) return { route: req.url, shared: { labels: [], timeUnitNs } }
    throw new GatewayError('invalid_field', `precision must be one of ${[...units.keys()].join(', ')}`, { field: 'precision' })
  }
}

/** 204 when every line is stored; else what was refused, the rest being stored. */
function sendWritten(reply: FastifyReply, { reply: written }: IngestResponse): FastifyReply {
  const { accepted, rejected, errors = [], rejected_by_code, ignored_values, overflow } = written
  if (ignored_values !== undefined) void reply.header('x-ignored-values', String(ignored_values))
  setOverflowHeaders(reply, overflow)
  if (rejected === 0) return reply.code(204).send()
  const detail = `partial write: ${errors[0]?.detail ?? ''}; ${accepted} values written, ${rejected} lines rejected`
  throw new GatewayError(errors[0]?.code ?? 'invalid_field', detail, { members: { accepted, rejected, rejected_by_code } })
}

const text = (description: string) => ({ type: 'string', description }) as const

function schemaOf(operationId: string, version: string, units: ReadonlyMap<string, bigint>, error: object): FastifySchema {
  const failed = { description: 'The error in the format of InfluxDB.', content: { 'application/json': { schema: error } } }
  return {
    operationId,
    tags: ['metrics'],
    security: [{ api_key: [] }],
    querystring: {
      type: 'object',
      properties: {
        precision: { type: 'string', enum: [...units.keys()], description: 'Unit of the times; ns when absent.' },
        namespace: text('Name of the namespace; step 3 of namespace resolution (docs/conventions.md).'),
        ...(version === '2' ? { bucket: text('Accepted and ignored.'), org: text('Accepted and ignored.') } : {}),
        ...(version === '1' ? { db: text('Accepted and ignored.'), rp: text('Accepted and ignored.') } : {})
      }
    },
    body: { content: { 'text/plain': { schema: text('Line protocol.') } } },
    response: {
      204: {
        description: 'Stored: the values survive a crash.',
        headers: { 'X-Ignored-Values': { type: 'string', description: 'Number of ignored string values; absent when 0.' } },
        type: 'null'
      },
      '4XX': failed,
      '5XX': failed
    }
  }
}

const ERROR_OF_SECOND = {
  type: 'object',
  required: ['code', 'message'],
  properties: { code: { type: 'string' }, message: { type: 'string' }, line: { type: 'integer' } }
}
const ERROR_OF_FIRST = { type: 'object', required: ['error'], properties: { error: { type: 'string' } } }

/** Registers the write routes of InfluxDB 2 (`/api/v2/write`) and 1 (`/write`). */
export function influxWriteRoutes(app: FastifyInstance, { ingest, authenticator }: PushRouteDeps): void {
  const common = {
    useCase: ingest.lineProtocol,
    authenticate: authenticator.pushKey.bind(authenticator),
    formOf: () => 'line-protocol' as const,
    send: sendWritten
  }
  const second = schemaOf('writeInflux2', '2', UNITS_OF_SECOND, ERROR_OF_SECOND)
  const first = schemaOf('writeInflux1', '1', UNITS_OF_FIRST, ERROR_OF_FIRST)
  const routes = [
    ...SECOND.map(url => ({
      ...common,
      url,
      schema: url === SECOND[0] ? second : { hide: true },
      facts: factsWith(UNITS_OF_SECOND)
    })),
    ...FIRST.map(url => ({ ...common, url, schema: url === FIRST[0] ? first : { hide: true }, facts: factsWith(UNITS_OF_FIRST) }))
  ]
  writeRoutes(app, ingest, routes, sendInfluxErrors)
}
