import type { FastifySchema } from 'fastify'
import type { LogOverride } from '../../ingest/recognise-log/log-overrides.js'
import { type RouteDoc, writeSchema } from './ingest-schemas.js'

type Schema = Readonly<Record<string, unknown>>

const text = (description: string): Schema => ({ type: 'string', description })

function withProperties(schema: unknown, more: Readonly<Record<string, Schema>>): Schema {
  const { properties } = schema as { readonly properties: object }
  return { type: 'object', properties: { ...properties, ...more } }
}

const PATHS = 'Dotted paths, separated by commas; the first that a record has wins.'
const OVERRIDES: Readonly<Record<LogOverride, Schema>> = {
  message_field: text(`Members that are the message. ${PATHS}`),
  time_field: text(`Members that are the time. ${PATHS}`),
  time_unit: { type: 'string', enum: ['s', 'ms', 'us', 'ns'], description: 'Unit of numeric times; by magnitude when absent.' },
  level_field: text(`Members that are the level. ${PATHS}`),
  service_field: text(`Members that are the service. ${PATHS}`),
  host_field: text(`Members that are the host. ${PATHS}`),
  trace_field: text(`Members that are the trace id. ${PATHS}`),
  service: text('Service of records that have none.'),
  host: text('Host of records that have none.'),
  tags: text('Tags of records that have none of the name: `name=value,name=value`.'),
  tag_fields: text(`Members that become tags. ${PATHS}`),
  ignore_fields: text(`Members that are not kept. ${PATHS}`),
  parse_message: {
    type: 'boolean',
    description: 'Whether a message that is a JSON object is read as a record; `log` alone when absent.'
  },
  timezone: text('Zone of times that name none: `Europe/Berlin`, `+01:00`; UTC when absent.')
}

/** The OpenAPI material of a route that takes logs: overrides of how they are recognised, as parameters or headers. */
export function logSchema(doc: RouteDoc): FastifySchema {
  const schema = writeSchema(doc)
  const headers = Object.entries(OVERRIDES).map(([name, { description }]): [string, Schema] => {
    const words = name.split('_').map(word => word.charAt(0).toUpperCase() + word.slice(1))
    return [`X-Alidade-${words.join('-')}`, { type: 'string', description }]
  })
  return {
    ...schema,
    querystring: withProperties(schema.querystring, OVERRIDES),
    headers: withProperties(schema.headers, Object.fromEntries(headers))
  }
}
