import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { GatewayError } from '../domain/errors.js'
import { cameThroughProxy } from './came-through-proxy.js'

/** Who may read the service's own metrics: anyone, requests of this machine, those with the token, or no one. */
export type MetricsAccess = { readonly mode: 'open' | 'local' | 'off' } | { readonly mode: 'token'; readonly token: string }

const BEARER = /^bearer +(\S+) *$/i

/** Refuses a scrape that is not allowed: 404 when metrics are off, 403 through a proxy, 401 without the token. */
export function guardMetrics(access: MetricsAccess): (request: FastifyRequest) => void {
  if (access.mode === 'token') return requireToken(access.token)
  if (access.mode === 'local') return refuseThroughProxy
  return access.mode === 'off' ? refuseAll : () => undefined
}

function refuseAll(): never {
  throw new GatewayError('not_found', 'metrics of the service are off; set metrics_access')
}

function requireToken(token: string): (request: FastifyRequest) => void {
  const expected = digest(token)
  return ({ headers }) => {
    const sent = BEARER.exec(headers.authorization ?? '')?.[1]
    if (sent === undefined) throw new GatewayError('missing_credential', 'this needs the metrics_token as bearer')
    // Digests have one length, and comparing them takes the same time wherever they differ.
    if (!timingSafeEqual(digest(sent), expected)) throw new GatewayError('invalid_credential', 'this is not the metrics_token')
  }
}

function refuseThroughProxy({ raw }: FastifyRequest): void {
  if (!cameThroughProxy(raw)) return
  const detail = 'metrics are open to loopback only; set metrics_access to open or token for requests through a proxy'
  throw new GatewayError('scope_required', detail)
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
