import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** What proxies, content delivery networks and tunnels add to the requests that they pass on; no client sends them by itself. */
const PROXY_HEADERS: ReadonlySet<string> = new Set([
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-envoy-external-address',
  'x-original-host',
  'true-client-ip',
  'fastly-client-ip',
  'fly-client-ip'
])
const PROXY_PREFIX = /^(?:x-forwarded-|cf-)/
/** The host of `Host`, an IPv6 address in its brackets, without the port. */
const HOST = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/

/** The part of a request that reports whether a proxy passed it on. */
export interface PassedRequest {
  readonly headers: IncomingHttpHeaders
  readonly httpVersion: string
}

/**
 * Whether a request that arrived on a loopback address may come from another machine: a proxy's header, another host than this
 * machine in `Host`, or HTTP/1.0 (by which nginx passes requests on by default).
 */
export function cameThroughProxy({ headers, httpVersion }: PassedRequest): boolean {
  if (httpVersion === '1.0') return true
  for (const name of Object.keys(headers)) if (PROXY_HEADERS.has(name) || PROXY_PREFIX.test(name)) return true
  return !isLoopbackHost(headers.host ?? '')
}

function isLoopbackHost(header: string): boolean {
  const host = HOST.exec(header)?.[1]?.toLowerCase() ?? ''
  if (host === 'localhost' || host.endsWith('.localhost') || host === '[::1]') return true
  return isIP(host) === 4 && host.startsWith('127.')
}

/** Headers in which proxies send the country of the client; the first one present counts. */
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
