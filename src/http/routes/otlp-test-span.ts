import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { UserPrincipal } from '../../domain/principal.js'
import { TEST_SERVICE, type TestSpans } from '../../ingest/test-span.js'
import { tookJson } from '../read-json/facts-json.js'
import { described, FLAG, NUMBER, object, TEXT, typedRoutes } from '../json-schema.js'
import { NAMESPACE_QUERY, READ_HEADERS } from '../read-schemas.js'
import { sendRead, type ReadAccess } from '../reader.js'

/** Dependencies of `otlpTestSpanRoute`. */
export interface OtlpTestSpanDeps extends ReadAccess {
  readonly authenticator: ReadAccess['authenticator'] & { session(req: FastifyRequest): Promise<UserPrincipal> }
  readonly testSpans: TestSpans
}

const SCHEMA = {
  tags: ['otlp'],
  security: [{ session: [] }],
  headers: READ_HEADERS,
  operationId: 'sendTestSpan',
  querystring: NAMESPACE_QUERY,
  response: {
    200: described(
      'Stored.',
      object({
        service: TEXT,
        trace_id: TEXT,
        span_id: TEXT,
        readable: { ...FLAG, description: 'Whether the trace was read back.' },
        trace: { ...TEXT, description: 'Path of the trace.' },
        took_ms: NUMBER
      })
    )
  }
}

/** Registers `POST /api/v1/otlp/test-span`. */
export function otlpTestSpanRoute(app: FastifyInstance, deps: OtlpTestSpanDeps): void {
  typedRoutes(app).post('/api/v1/otlp/test-span', { schema: SCHEMA }, async (req, reply) => {
    const principal = await deps.authenticator.session(req)
    return sendRead(req, reply, deps, async (namespace, signal) => {
      const { traceId, spanId, isReadable, tookMs } = await deps.testSpans.send(principal, namespace, signal)
      const ids = { service: TEST_SERVICE, trace_id: traceId, span_id: spanId }
      return { ...ids, readable: isReadable, trace: `/api/v1/traces/${traceId}`, took_ms: tookJson(tookMs) }
    })
  })
}
