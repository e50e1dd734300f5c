import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { IngestResponse, IngestRequest } from '../../ingest/ingest-request.js'
import type { ReceivedBody } from '../request-body.js'
import { type IngestRouteDeps, type WriteRoute, writeRoutes } from './ingest-route.js'
import { rumSchema } from './ingest-schemas.js'

/** The dependencies of the RUM route. */
export interface RumRouteDeps extends IngestRouteDeps {
  /** Country from the header of a trusted proxy; null or absent without one. */
  readonly countryOf?: (req: FastifyRequest) => string | null
}

const URL = '/api/v1/apm/rum'
const ALLOWED_HEADERS = 'content-type, content-encoding, x-api-key, x-namespace-id, idempotency-key, authorization'
const EXPOSED_HEADERS = 'x-request-id, x-resolved-namespace, ratelimit-policy, ratelimit, retry-after, idempotency-replayed'
const PREFLIGHT_MAX_AGE_S = '86400'

/**
 * Any page may send, without credentials of the browser: a preflight carries no key, so what is allowed is decided by
 * the POST, by its key and its Origin.
 */
function openToAnyOrigin(reply: FastifyReply): void {
  void reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', EXPOSED_HEADERS)
}

/** A beacon reads no response. */
function sendBeacon(reply: FastifyReply, { reply: body }: IngestResponse, { isPlainText }: ReceivedBody): FastifyReply {
  return isPlainText ? reply.code(204).send() : reply.send(body)
}

function facts(req: FastifyRequest, country: string | null): Partial<IngestRequest> {
  return { address: req.ip, country: country ?? undefined }
}

function preflight(scope: FastifyInstance): void {
  const schema = {
    operationId: 'preflightRum',
    tags: ['rum'],
    response: { 204: { description: 'Any origin may send; the POST decides.', type: 'null' } }
  }
  scope.options(URL, { schema }, async (_req, reply) =>
    reply
      .header('access-control-allow-methods', 'POST')
      .header('access-control-allow-headers', ALLOWED_HEADERS)
      .header('access-control-max-age', PREFLIGHT_MAX_AGE_S)
      .code(204)
      .send()
  )
}

/** Registers `POST /api/v1/apm/rum` and its CORS preflight. */
export function ingestRumRoutes(app: FastifyInstance, { ingest, authenticator, countryOf }: RumRouteDeps): void {
  const route: WriteRoute = {
    url: URL,
    schema: rumSchema(),
    useCase: ingest.rum,
    authenticate: authenticator.rumWriter.bind(authenticator),
    takesPlainText: true,
    maxBodyBytes: ingest.limits.pageViewBytes,
    facts: req => facts(req, countryOf?.(req) ?? null),
    send: sendBeacon
  }
  writeRoutes(app, ingest, [route], scope => {
    // Before the body is read, so that its refusals can be read by the page too.
    scope.addHook('onRequest', (_req, reply, done) => {
      openToAnyOrigin(reply)
      done()
    })
    preflight(scope)
  })
}
