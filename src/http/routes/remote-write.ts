import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import { GatewayError } from '../../domain/errors.js'
import { BrokenSnappy, snappyLength, SnappyTooLarge, uncompressSnappy } from '../../wire/snappy.js'
import type { BodyForm, IngestResponse, OverflowReply } from '../../ingest/ingest-request.js'
import type { Ingest } from '../../ingest/ingest.js'
import type { Authenticator } from '../authenticate.js'
import { authenticateFirst } from '../authenticate-first.js'
import { BodyReceiver } from '../body-receiver.js'
import { rawBodyOf, takeRawBodies } from '../request-body.js'
import { setOverflowHeaders } from '../overflow-headers.js'
import { namedNamespaces, observerOf } from './ingest-route.js'
import { NAMESPACE_HEADER, NAMESPACE_PARAMETER } from './ingest-schemas.js'
import { addScope } from '../scope.js'

/** The dependencies of the remote write route. */
export interface RemoteWriteDeps {
  readonly ingest: Ingest
  readonly authenticator: Pick<Authenticator, 'pushKey'>
}

/** Where Prometheus and its kin write; the first is in the OpenAPI document. */
const PATHS = ['/api/v1/write', '/api/v1/prometheus/api/v1/write', '/prometheus/api/v1/write'] as const
const V2 = /^application\/x-protobuf\s*;\s*proto=io\.prometheus\.write\.v2\.Request$/i
const V1 = /^application\/x-protobuf(?:\s*;\s*proto=prometheus\.WriteRequest)?$/i

const SCHEMA: FastifySchema = {
  operationId: 'remoteWrite',
  tags: ['prometheus'],
  security: [{ api_key: [] }],
  querystring: { type: 'object', properties: { namespace: NAMESPACE_PARAMETER } },
  headers: { type: 'object', properties: { 'X-Service-Namespace': NAMESPACE_HEADER } },
  body: { content: { 'application/x-protobuf': { schema: { type: 'string', format: 'binary' } } } },
  response: {
    204: {
      description: 'Stored: the samples survive a crash.',
      headers: {
        'X-Prometheus-Remote-Write-Samples-Written': { type: 'string' },
        'X-Prometheus-Remote-Write-Histograms-Written': { type: 'string' },
        'X-Prometheus-Remote-Write-Exemplars-Written': { type: 'string' },
        'X-Overflow-Samples': {
          type: 'string',
          description: 'Samples aggregated into overflow series because of the series limit.'
        },
        'X-Overflow-Label': { type: 'string', description: 'The label with the most values, percent-encoded.' }
      },
      type: 'null'
    }
  }
}

function formOf(req: FastifyRequest): BodyForm {
  const type = (req.headers['content-type'] ?? '').trim()
  if (V2.test(type)) return 'remote-write-2'
  if (V1.test(type)) return 'protobuf'
  throw new GatewayError('unsupported_media_type', 'Content-Type must be application/x-protobuf', { field: 'Content-Type' })
}

async function bodyOf(req: FastifyRequest, { limits, scheduler }: Pick<Ingest, 'limits' | 'scheduler'>): Promise<Buffer> {
  const maxBytes = limits.bodyBytes
  if ((req.headers['content-encoding'] ?? 'snappy').trim().toLowerCase() !== 'snappy') {
    throw new GatewayError('unsupported_media_type', 'Content-Encoding must be snappy', { field: 'Content-Encoding' })
  }
  const received = rawBodyOf(req)
  try {
    // So much is allocated at once: it is taken of the budget first.
    await BodyReceiver.of(req.server)
      .bytesOf(req)
      ?.take(Math.min(snappyLength(received), maxBytes))
    return await scheduler.through(uncompressSnappy(received, maxBytes))
  } catch (cause) {
    if (cause instanceof SnappyTooLarge)
      throw new GatewayError(
        'payload_too_large',
        `body exceeds the limit of ${maxBytes} bytes after decompression; send smaller batches`,
        { cause }
      )
    if (cause instanceof BrokenSnappy) throw new GatewayError('invalid_field', 'the body is not a snappy block', { cause })
    throw cause
  }
}

async function handle(req: FastifyRequest, reply: FastifyReply, deps: RemoteWriteDeps): Promise<FastifyReply> {
  const principal = await deps.authenticator.pushKey(req)
  const request = {
    principal,
    form: formOf(req),
    body: await bodyOf(req, deps.ingest),
    route: 'remote-write',
    ...namedNamespaces(req),
    isDryRun: false,
    ack: 'durable'
  } as const
  const { written, refusal, overflow } = await outcomeOf(deps.ingest.remoteWrite.accept(request, observerOf(reply)))
  void reply.header('x-prometheus-remote-write-samples-written', String(written.samples))
  void reply.header('x-prometheus-remote-write-histograms-written', String(written.histograms))
  void reply.header('x-prometheus-remote-write-exemplars-written', String(written.exemplars))
  setOverflowHeaders(reply, overflow)
  if (refusal === null) return reply.code(204).send()
  throw refusal
}

/** What was kept, each kind counted by itself as the specification wants it. */
interface Written {
  /** Without histograms. */
  readonly samples: number
  readonly histograms: number
  /** One that is refused does not turn the response into an error, as with Prometheus. */
  readonly exemplars: number
}

const NOTHING: Written = { samples: 0, histograms: 0, exemplars: 0 }

interface Outcome {
  readonly written: Written
  readonly refusal: GatewayError | null
  readonly overflow?: OverflowReply | undefined
}

/**
 * The outcome of a request. The specification requires 400 if samples were refused for good, whatever became of the others; a
 * retryable code, such as that of the series limit, would be repeated forever.
 */
async function outcomeOf(response: Promise<IngestResponse>): Promise<Outcome> {
  try {
    const { accepted, rejected, errors = [], histograms = 0, exemplars, overflow } = (await response).reply
    const written = { samples: accepted - histograms, histograms, exemplars: exemplars?.accepted ?? 0 }
    if (rejected === 0) return { written, overflow, refusal: null }
    return { written, overflow, refusal: refusalOf(errors[0]?.detail ?? '', errors, { accepted, rejected }) }
  } catch (error) {
    if (!(error instanceof GatewayError) || typeof error.members['rejected'] !== 'number') throw error
    return { written: NOTHING, refusal: refusalOf(error.message, error.errors, error.members) }
  }
}

function refusalOf(detail: string, errors: GatewayError['errors'], members: GatewayError['members']): GatewayError {
  return new GatewayError('invalid_field', detail, { errors, members })
}

/** Registers Prometheus remote write (prometheus.io/docs/specs/prw/remote_write_spec). */
export function remoteWriteRoutes(app: FastifyInstance, deps: RemoteWriteDeps): void {
  const bodyLimit = deps.ingest.limits.bodyBytes
  addScope(app, 'remote-write', scope => {
    takeRawBodies(scope, bodyLimit)
    authenticateFirst(scope, req => deps.authenticator.pushKey(req))
    for (const path of PATHS) {
      const schema = path === PATHS[0] ? SCHEMA : { hide: true }
      scope.post(path, { schema, bodyLimit }, (req, reply) => handle(req, reply, deps))
    }
  })
}
