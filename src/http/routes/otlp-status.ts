import type { FastifyInstance } from 'fastify'
import type { NamespaceId } from '../../domain/ids.js'
import type { OtlpEndpoint, OtlpReport } from '../../ingest/otlp-report.js'
import { OTLP_PROTOCOLS, OTLP_SIGNALS, OTLP_STATES, type OtlpChannel } from '../../ingest/otlp-status.js'
import {
  type All,
  COUNT,
  described,
  FLAG,
  list,
  NULLABLE_NUMBER,
  NULLABLE_TEXT,
  object,
  type Static,
  TEXT,
  typed,
  typedRoutes
} from '../json-schema.js'
import { NAMESPACE_QUERY, READ_HEADERS, READ_SECURITY } from '../read-schemas.js'
import { sendRead, type ReadAccess } from '../reader.js'

/** Dependencies of `otlpStatusRoute`. */
export interface OtlpStatusDeps extends ReadAccess {
  readonly otlpReport: (ns: NamespaceId) => OtlpReport
}

const CHANNEL = object({
  protocol: { enum: OTLP_PROTOCOLS },
  signal: { enum: OTLP_SIGNALS },
  state: {
    enum: OTLP_STATES,
    description: 'stale: no request for 5 minutes; rejecting: records of the last request were rejected.'
  },
  last_accepted: NULLABLE_TEXT,
  last_rejected: NULLABLE_TEXT,
  last_rejection: { ...NULLABLE_TEXT, description: 'Reason of the last rejection.' },
  requests: COUNT,
  records: COUNT,
  rejected_records: COUNT,
  bytes: COUNT,
  sdk: { ...NULLABLE_TEXT, description: 'telemetry.sdk.* of the latest resource.' },
  clock_skew_ms: { ...NULLABLE_NUMBER, description: 'Time of arrival minus the time of the latest record.' },
  without_service: { ...COUNT, description: 'Records whose resource has no service.name.' }
} as const)

const ENDPOINT = object({
  protocol: { enum: OTLP_PROTOCOLS },
  url: { ...NULLABLE_TEXT, description: 'Endpoint for senders.' },
  accepting: { ...FLAG, description: 'Whether the port is open.' },
  last_received: NULLABLE_TEXT,
  received: { ...COUNT, description: 'Records of all signals.' },
  rejected: COUNT,
  last_error: NULLABLE_TEXT
} as const)
const RATE = { type: 'number', minimum: 0, description: 'Over the last minute.' } as const

const STATUS_MEMBERS = {
  namespace: TEXT,
  endpoints: list(ENDPOINT),
  spans_per_second: RATE,
  logs_per_second: RATE,
  points_per_second: RATE,
  services: list(TEXT, { description: 'Received values of service.name, the latest 200.' }),
  channels: list(CHANNEL)
}
const STATUS = typed<All<typeof STATUS_MEMBERS>>({
  type: 'object',
  required: [
    ...['namespace', 'endpoints', 'channels', 'services'],
    ...['spans_per_second', 'logs_per_second', 'points_per_second']
  ],
  properties: STATUS_MEMBERS
})

const SCHEMA = {
  tags: ['otlp'],
  security: READ_SECURITY,
  headers: READ_HEADERS,
  operationId: 'getOtlpStatus',
  querystring: NAMESPACE_QUERY,
  response: {
    200: described('Every protocol and signal, including those never received.', STATUS)
  }
}

function instant(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}

function channelJson(channel: OtlpChannel): Static<typeof CHANNEL> {
  const { protocol, signal, state, requests, records, bytes, sdk } = channel
  return {
    ...{ protocol, signal, state, requests, records, bytes, sdk },
    last_accepted: instant(channel.lastAcceptedMs),
    last_rejected: instant(channel.lastRejectedMs),
    last_rejection: channel.lastRejection,
    rejected_records: channel.rejectedRecords,
    clock_skew_ms: channel.clockSkewMs,
    without_service: channel.withoutService
  }
}

function endpointJson({ protocol, url, lastReceivedMs, received, rejected, lastError }: OtlpEndpoint): Static<typeof ENDPOINT> {
  const seen = { last_received: instant(lastReceivedMs), received, rejected, last_error: lastError }
  return { protocol, url, accepting: url !== null, ...seen }
}

function reportJson({ endpoints, channels, perSecond, services }: OtlpReport): Omit<Static<typeof STATUS>, 'namespace'> {
  return {
    endpoints: endpoints.map(endpointJson),
    spans_per_second: perSecond.traces,
    logs_per_second: perSecond.logs,
    points_per_second: perSecond.metrics,
    services,
    channels: channels.map(channelJson)
  }
}

/** Registers `GET /api/v1/otlp/status`. */
export function otlpStatusRoute(app: FastifyInstance, deps: OtlpStatusDeps): void {
  typedRoutes(app).get('/api/v1/otlp/status', { schema: SCHEMA }, async (req, reply) =>
    sendRead(req, reply, deps, async namespace => ({
      namespace: namespace.name,
      ...reportJson(deps.otlpReport(namespace.id))
    }))
  )
}
