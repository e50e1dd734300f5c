import type { FastifyRequest } from 'fastify'

/** Headers in which proxies tell the country of the client, the first that is there counts. */
const HEADERS = ['cf-ipcountry', 'x-country-code'] as const
// Cloudflare's word for a country that it does not know.
const UNKNOWN = 'XX'

/**
 * The country that a trusted proxy put into a header; null when the request did not come through one. Fastify lists the
 * client behind the socket's address only when that address is one of the trusted proxies.
 */
export function countryOfProxy(req: Pick<FastifyRequest, 'headers' | 'ips'>): string | null {
  if ((req.ips?.length ?? 0) < 2) return null
  const code = HEADERS.map(name => req.headers[name]).find(value => typeof value === 'string' && value !== '')
  return typeof code !== 'string' || code.toUpperCase() === UNKNOWN ? null : code
}
