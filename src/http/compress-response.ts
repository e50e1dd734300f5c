import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedEncoding } from './accept-encoding.js'

const compress = promisify(gzip)

/** Smaller responses gain less than the headers and the thread cost. */
export const MIN_COMPRESSED_BYTES = 2_048
// Within a tenth of the size of the default level, for a third of its CPU (a trace of 10,000 spans, a page of logs).
const LEVEL = constants.Z_BEST_SPEED

/**
 * A route's `onSend` hook that compresses its response with gzip where the client accepts it, on a thread of zlib. Streams
 * and responses under {@link MIN_COMPRESSED_BYTES} are sent as they are. Only for routes without cookies: the size of a
 * compressed response reveals its secrets to a caller who chooses a part of it (BREACH).
 */
export async function compressResponse(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload
  if (Buffer.byteLength(payload) < MIN_COMPRESSED_BYTES || reply.hasHeader('content-encoding')) return payload
  void reply.header('vary', varyOf(reply))
  if (acceptedEncoding(request.headers['accept-encoding'], ['gzip']) === null) return payload
  void reply.removeHeader('content-length').header('content-encoding', 'gzip')
  return compress(payload, { level: LEVEL })
}

function varyOf(reply: FastifyReply): string {
  const given = reply.getHeader('vary')
  return given === undefined ? 'accept-encoding' : `${String(given)}, accept-encoding`
}
