import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { MetricsAccess } from '../metrics-guard.js'
import { guardMetrics } from '../metrics-guard.js'

/** Dependencies of `metricsRoutes`. */
export interface MetricsDeps {
  readonly scrape: () => Promise<{ readonly contentType: string; readonly text: string }>
  readonly access: MetricsAccess
}

const SCHEMA = {
  operationId: 'getServiceMetrics',
  tags: ['operations'],
  response: { 200: { description: 'Prometheus text format', content: { 'text/plain': { schema: { type: 'string' } } } } }
}

/** Registers `/metrics` below `/api/v1` and, hidden, at the root. */
export function metricsRoutes(app: FastifyInstance, deps: MetricsDeps): void {
  const guard = guardMetrics(deps.access)
  const scrape = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    guard(request)
    const { contentType, text } = await deps.scrape()
    return reply.header('content-type', contentType).send(text)
  }
  app.get('/api/v1/metrics', { schema: SCHEMA }, scrape)
  app.get('/metrics', { schema: { ...SCHEMA, hide: true } }, scrape)
}
