import type { FastifyInstance } from 'fastify'
import { OTLP_PROTOCOLS, OTLP_SIGNALS, OTLP_STATES, type OtlpChannel, type OtlpStatus } from '../../ingest/otlp-status.js'
import { NAMESPACE_QUERY, READ_HEADERS, READ_SECURITY } from '../read-schemas.js'
import { answerRead, type ReadAccess } from '../reader.js'

export interface OtlpStatusDeps extends ReadAccess {
  readonly otlpStatus: OtlpStatus
}

const COUNT = { type: 'integer', minimum: 0 } as const
const NULLABLE_TEXT = { type: ['string', 'null'] } as const
const CHANNEL = {
  protocol: { enum: OTLP_PROTOCOLS },
  signal: { enum: OTLP_SIGNALS },
  state: {
    enum: OTLP_STATES,
    description: 'stale: nothing for 5 minutes; rejecting: of the last request something was refused.'
  },
  last_accepted: NULLABLE_TEXT,
  last_rejected: NULLABLE_TEXT,
  last_rejection: { ...NULLABLE_TEXT, description: 'Why.' },
  requests: COUNT,
  records: COUNT,
  rejected_records: COUNT,
  bytes: COUNT,
  sdk: { ...NULLABLE_TEXT, description: 'telemetry.sdk.* of the resource that came last.' },
  clock_skew_ms: { type: ['number', 'null'], description: 'Arrival minus the time of the last record that came.' },
  without_service: { ...COUNT, description: 'Records whose resource has no service.name.' }
} as const

const SCHEMA = {
  tags: ['otlp'],
  security: READ_SECURITY,
  headers: READ_HEADERS,
  operationId: 'getOtlpStatus',
  summary: 'Whether OTLP arrives, by protocol and signal',
  description: 'What the gateway that answers has seen since it started.',
  querystring: NAMESPACE_QUERY,
  response: {
    200: {
      description: 'Every protocol and signal, those that never came too.',
      type: 'object',
      required: ['namespace', 'channels'],
      properties: {
        namespace: { type: 'string' },
        channels: { type: 'array', items: { type: 'object', required: Object.keys(CHANNEL), properties: CHANNEL } }
      }
    }
  }
}

function instant(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}

function channelJson(channel: OtlpChannel): Record<string, unknown> {
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

/** Registers `GET /api/v1/otlp/status`. */
export function otlpStatusRoute(app: FastifyInstance, deps: OtlpStatusDeps): void {
  app.get('/api/v1/otlp/status', { schema: SCHEMA }, async (req, reply) =>
    answerRead(req, reply, deps, async namespace => ({
      namespace: namespace.name,
      channels: deps.otlpStatus.of(namespace.id).map(channelJson)
    }))
  )
}
