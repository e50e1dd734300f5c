import type { FastifySchema } from 'fastify'
import type { LogOverride } from '../../ingest/recognize-log/override-names.js'
import { type RouteDoc, writeSchema } from './ingest-schemas.js'

type Schema = Readonly<Record<string, unknown>>

const text = (description: string): Schema => ({ type: 'string', description })

function withProperties(schema: unknown, more: Readonly<Record<string, Schema>>): Schema {
  const { properties } = schema as { readonly properties: object }
  return { type: 'object', properties: { ...properties, ...more } }
}

const PATHS = 'Dotted paths, separated by commas; the first that exists in a record is used.'
const OVERRIDES: Readonly<Record<LogOverride, Schema>> = {
  message_field: text(`Members with the message. ${PATHS}`),
  time_field: text(`Members with the time. ${PATHS}`),
  time_unit: { type: 'string', enum: ['s', 'ms', 'us', 'ns'], description: 'Unit of numeric times; default by magnitude.' },
  level_field: text(`Members with the level. ${PATHS}`),
  service_field: text(`Members with the service. ${PATHS}`),
  host_field: text(`Members with the host. ${PATHS}`),
  trace_field: text(`Members with the trace id. ${PATHS}`),
  service: text('Service of records without one.'),
  host: text('Host of records without one.'),
  tags: text('Tags of records without a tag of the name: `name=value,name=value`.'),
  tag_fields: text(`Members that become tags. ${PATHS}`),
  ignore_fields: text(`Members to drop. ${PATHS}`),
  parse_message: {
    type: 'boolean',
    description: 'Whether a message that is a JSON object is parsed as a record; default only in `log`.'
  },
  timezone: text('Zone of times without a zone: `Europe/Berlin`, `+01:00`; default UTC.')
}

/** The OpenAPI material of a route that takes logs: overrides of how they are recognized, as parameters or headers. */
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
