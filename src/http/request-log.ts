import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Which requests are logged. */
export type LoggedRequests = 'off' | 'errors' | 'all'

/** One request as it is logged: never its query, headers, body, or its path beyond the pattern of its route. */
export interface RequestEntry {
  readonly requestId: string
  readonly method: string | null
  /** The pattern of the route, `unmatched` without one. */
  readonly route: string
  readonly status: number
  readonly durationMs: number
  /** Bytes of the body as they came; null when the client did not declare them and the body was not kept. */
  readonly bytesIn: number | null
  /** Bytes of the reply, its headers included. */
  readonly bytesOut: number
  /** The namespace that was resolved; null when none was. */
  readonly namespace: string | null
  /** The visible prefix of the API key; null without a key. */
  readonly keyPrefix: string | null
  /** Address of the client. */
  readonly client: string
}

/** Logs finished requests. */
export interface RequestLog {
  log(entry: RequestEntry): void
}

/** Status of a request whose client left before the reply, as nginx logs it. */
const CLIENT_CLOSED = 499
const FIRST_ERROR = 400

/** The request log, one line a request; null when it is off. It has its own switch: `log_level` does not silence it. */
export function createRequestLog(logged: LoggedRequests, logger: FastifyBaseLogger): RequestLog | null {
  if (logged === 'off') return null
  const own = logger.child({}, { level: 'info' })
  return {
    log: entry => {
      if (logged === 'errors' && entry.status < FIRST_ERROR) return
      own.info(
        {
          request_id: entry.requestId,
          method: entry.method,
          route: entry.route,
          status: entry.status,
          duration_ms: Math.round(entry.durationMs),
          bytes_in: entry.bytesIn,
          bytes_out: entry.bytesOut,
          namespace: entry.namespace,
          key_prefix: entry.keyPrefix,
          client: entry.client
        },
        'request'
      )
    }
  }
}

/** Returns which API key a request was authenticated by. */
export type KeyPrefixOf = (request: FastifyRequest) => string | null

function bytesInOf(request: FastifyRequest): number | null {
  const { 'content-length': declared, 'transfer-encoding': chunked } = request.headers
  if (declared !== undefined) return Number(declared)
  if (Buffer.isBuffer(request.body)) return request.body.length
  return chunked === undefined ? 0 : null
}

function namespaceOf(reply: FastifyReply): string | null {
  const header = reply.getHeader('x-resolved-namespace')
  return typeof header === 'string' ? header : null
}

/** Logs every request of a server when its exchange is over, also one whose client left early. */
export function logRequests(app: FastifyInstance, log: RequestLog, keyPrefixOf: KeyPrefixOf): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw
    const writtenBefore = socket.bytesWritten
    reply.raw.once('close', () =>
      log.log({
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url ?? 'unmatched',
        status: reply.raw.writableFinished ? reply.raw.statusCode : CLIENT_CLOSED,
        durationMs: reply.elapsedTime,
        bytesIn: bytesInOf(request),
        bytesOut: socket.bytesWritten - writtenBefore,
        namespace: namespaceOf(reply),
        keyPrefix: keyPrefixOf(request),
        client: request.ip
      })
    )
    done()
  })
}
