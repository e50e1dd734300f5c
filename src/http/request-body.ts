import type { FastifyInstance, FastifyRequest } from 'fastify'
import { GatewayError } from '../domain/errors.js'
import type { BodyForm } from '../ingest/ingest-request.js'
import { bodyTooLarge } from './body-collection.js'
import { BodyReceiver } from './body-receiver.js'
import { inflateBody } from './inflate-body.js'

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
  readonly takesProtobuf?: boolean
  /** The route knows the form by itself, whatever the content type. */
  readonly form?: BodyForm
}

const EMPTY = Buffer.alloc(0)
const JSON_TYPE = /^(?:application\/(?:[a-z0-9.-]+\+)?json|text\/json)$/
const NDJSON_TYPE = /^application\/(?:x-ndjson|ndjson|jsonl|x-jsonlines)$/

const PROTOBUF_TYPE = 'application/x-protobuf'

/** How the body is to be read by its content type; a missing one is taken as JSON. */
function formOf(contentType: string | undefined, options: BodyOptions): { form: BodyForm; isPlainText: boolean } {
  if (contentType === undefined || contentType === '' || contentType === 'application/json')
    return { form: 'json', isPlainText: false }
  const [mediaType = '', ...parameters] = contentType.toLowerCase().split(';')
  const type = mediaType.trim()
  const charset = parameters.map(p => p.trim()).find(p => p.startsWith('charset='))
  const isUtf8 = charset === undefined || /^charset="?(?:utf-?8|us-ascii)"?$/.test(charset)
  if (isUtf8 && JSON_TYPE.test(type)) return { form: 'json', isPlainText: false }
  if (isUtf8 && options.takesNdjson && NDJSON_TYPE.test(type)) return { form: 'ndjson', isPlainText: false }
  if (isUtf8 && options.takesPlainText && type === 'text/plain') return { form: 'json', isPlainText: true }
  if (options.takesProtobuf && type === PROTOBUF_TYPE) return { form: 'protobuf', isPlainText: false }
  const others = `${options.takesProtobuf ? ' or application/x-protobuf' : ''}${options.takesNdjson ? ' or application/x-ndjson' : ''}${options.takesPlainText ? ' or text/plain' : ''}`
  throw new GatewayError('unsupported_media_type', `Content-Type must be application/json${others}, in UTF-8`, {
    field: 'Content-Type'
  })
}

/** What `takeRawBodies` received of a request. */
export function rawBodyOf(req: FastifyRequest): Buffer {
  return Buffer.isBuffer(req.body) ? req.body : EMPTY
}

/**
 * The body of a request whose parser gave the raw Buffer. Throws `unsupported_media_type`, `payload_too_large` (the
 * decompression stops at the limit), `invalid_json` for a body that does not decompress, and `rate_limited` or `overloaded`
 * when it finds no room in the budget of bytes.
 */
export async function readBody(req: FastifyRequest, receiver: BodyReceiver, options: BodyOptions): Promise<ReceivedBody> {
  const type = options.form ? { form: options.form, isPlainText: false } : formOf(req.headers['content-type'], options)
  const received = rawBodyOf(req)
  if (received.length > options.maxBytes) throw bodyTooLarge(options.maxBytes)
  const encoding = (req.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  const budget = receiver.bytesOf(req)
  if (encoding === 'identity' || encoding === '' || budget === null) return { bytes: received, ...type }
  const bytes = await inflateBody(received, encoding, options.maxBytes, budget)
  req.body = EMPTY
  budget.give(received.length)
  return { bytes, ...type }
}

/** Makes the routes of an encapsulated plugin take every body as raw bytes; their schemas only document. */
export function takeRawBodies(plugin: FastifyInstance, maxBytes: number | ((req: FastifyRequest) => number)): void {
  const maxBytesOf = typeof maxBytes === 'number' ? () => maxBytes : maxBytes
  const receiver = BodyReceiver.of(plugin)
  plugin.removeAllContentTypeParsers()
  plugin.addContentTypeParser('*', async (req: FastifyRequest) => receiver.receive(req, maxBytesOf(req)))
  plugin.setValidatorCompiler(() => () => true)
}
