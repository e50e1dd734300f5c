import type { FastifyRequest } from 'fastify'
import type { BodyForm } from '../ingest/ingest-request.js'

/** A body after decompression. */
export interface ReceivedBody {
  readonly bytes: Buffer
  readonly form: BodyForm
  /** It was sent as `text/plain` (a beacon). */
  readonly isPlainText: boolean
}

/** Which content types a route takes besides JSON. */
export interface BodyOptions {
  readonly maxBytes: number
  readonly takesNdjson?: boolean
  readonly takesPlainText?: boolean
}

/**
 * The body of a request whose parser gave the raw Buffer. Throws `unsupported_media_type`, `payload_too_large` (the
 * decompression stops at the limit) and `invalid_json` for a body that does not decompress.
 */
export async function readBody(_req: FastifyRequest, _options: BodyOptions): Promise<ReceivedBody> {
  throw new Error('unbuilt')
}
