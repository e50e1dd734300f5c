import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { GatewayError } from '../../domain/errors.js'
import { acceptedEncoding } from '../accept-encoding.js'
import { namedMediaType } from '../accept.js'
import { type ConsoleSite, type Representation, namesTag } from '../console/console-site.js'

/** The responses at the root of the API and at the paths of the console. */
export interface ConsoleRoutesDeps {
  /** Null when it is off or was not built. */
  readonly site: ConsoleSite | null
  /** Whether `/graphql` has a page for browsers. */
  readonly sandbox: boolean
}

const GRAPHQL_PATH = '/graphql'
const HTML = 'text/html'
const PAGES = ['/login', '/register', '/invite', '/n/*'] as const
const HIDDEN = { schema: { hide: true } } as const

/** No inline script or style, nothing from another origin. Workers take the policy of their own script's response. */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'"
].join('; ')

const SECURITY_HEADERS = {
  'content-security-policy': CONTENT_POLICY,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin'
} as const

function sendRepresentation(request: FastifyRequest, reply: FastifyReply, { bytes, etag }: Representation): FastifyReply {
  void reply.headers(SECURITY_HEADERS).header('etag', etag)
  if (namesTag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.send(bytes)
}

function sendPage(request: FastifyRequest, reply: FastifyReply, { page }: ConsoleSite): FastifyReply {
  void reply.headers({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' })
  return sendRepresentation(request, reply, page)
}

function sendAsset(request: FastifyRequest, reply: FastifyReply, { assets }: ConsoleSite): FastifyReply {
  const asset = assets.get((request.params as { readonly '*': string })['*'])
  if (!asset) throw new GatewayError('not_found', 'the console has no such file; reload the page if the service was upgraded')
  const coding = acceptedEncoding(request.headers['accept-encoding'], [...asset.coded.keys()])
  void reply.headers({
    'content-type': asset.contentType,
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding'
  })
  if (coding !== null) void reply.header('content-encoding', coding)
  return sendRepresentation(request, reply, coding === null ? asset.plain : asset.coded.get(coding)!)
}

/** Where a client without a browser finds the interfaces; with the sandbox, browsers follow the redirect to it. */
function sendPlaces(reply: FastifyReply, sandbox: boolean): FastifyReply {
  if (sandbox) void reply.code(302).header('location', GRAPHQL_PATH)
  return reply.send({ graphql: GRAPHQL_PATH, openapi: '/api/v1/openapi.json', health: '/health/ready' })
}

/** Serves the root, and the console's pages and files when there is one. None of them requires a credential. */
export function consoleRoutes(app: FastifyInstance, { site, sandbox }: ConsoleRoutesDeps): void {
  if (site === null) {
    if (sandbox) app.get('/', HIDDEN, async (_request, reply) => sendPlaces(reply, sandbox))
    return
  }
  app.get('/', HIDDEN, async (request, reply) => {
    void reply.header('vary', 'accept')
    const isBrowser = namedMediaType(request.headers.accept, [HTML, 'application/json']) === HTML
    return isBrowser ? sendPage(request, reply, site) : sendPlaces(reply, sandbox)
  })
  for (const path of PAGES) app.get(path, HIDDEN, async (request, reply) => sendPage(request, reply, site))
  app.get('/assets/*', HIDDEN, async (request, reply) => sendAsset(request, reply, site))
}
