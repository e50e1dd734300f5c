import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendRead } from '../reader.js'
import type { Endpoint, PrometheusDeps } from './endpoints.js'
import { PrometheusParams } from './params.js'

/** Bases of Prometheus's own paths; the first is in the OpenAPI document. */
export const PROMETHEUS_BASES = ['/api/v1/prometheus', '/prometheus', '/api/v1/ns/:namespace/prometheus'] as const

/** Handles a request by one endpoint of Prometheus's API. */
export async function handleEndpoint(
  req: FastifyRequest,
  reply: FastifyReply,
  deps: PrometheusDeps,
  endpoint: Endpoint
): Promise<FastifyReply> {
  const params = new PrometheusParams(req)
  const body = await sendRead(req, reply, deps, (namespace, signal) => {
    return endpoint.run(params, { deps, namespace, signal, req })
  })
  // Sent as bytes: the body is written already.
  return reply.header('content-type', 'application/json; charset=utf-8').send(bytesOf(body))
}

/** Without a copy: a response may be of hundreds of megabytes. */
function bytesOf(body: string | Uint8Array): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength)
}
