import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw, type InputType } from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { GatewayError } from '../domain/errors.js'
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
  readonly takesProtobuf?: boolean
  /** The route knows the form by itself, whatever the content type says. */
  readonly form?: BodyForm
}

type Inflate = (input: InputType, options: { maxOutputLength: number; chunkSize: number }) => Promise<Buffer>

const gunzipAsync: Inflate = promisify(gunzip)
const inflateAsync: Inflate = promisify(inflate)
const inflateRawAsync: Inflate = promisify(inflateRaw)
const brotliAsync: Inflate = promisify(brotliDecompress)

const EMPTY = Buffer.alloc(0)
// Each chunk of output is one trip to the thread pool; text shrinks to about an eighth.
const MIN_CHUNK = 16 * 1024
const MAX_CHUNK = 256 * 1024
const EXPECTED_RATIO = 8

const JSON_TYPE = /^(?:application\/(?:[a-z0-9.-]+\+)?json|text\/json)$/
const NDJSON_TYPE = /^application\/(?:x-ndjson|ndjson|jsonl|x-jsonlines)$/

const PROTOBUF_TYPE = 'application/x-protobuf'

/** RFC 9110 calls the zlib format `deflate`; some clients send the bare stream. */
function isZlib(bytes: Buffer): boolean {
  return (bytes[0]! & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0
}

function inflaterFor(encoding: string, bytes: Buffer): Inflate | null {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return gunzipAsync
    case 'deflate':
      return bytes.length < 2 || isZlib(bytes) ? inflateAsync : inflateRawAsync
    case 'br':
      return brotliAsync
    default:
      return null
  }
}

function tooLarge(maxBytes: number): GatewayError {
  return new GatewayError('payload_too_large', `a body may have ${maxBytes} bytes, before and after decompression`)
}

async function decompress(bytes: Buffer, encoding: string, maxBytes: number): Promise<Buffer> {
  const inflater = inflaterFor(encoding, bytes)
  if (inflater === null) {
    throw new GatewayError('unsupported_media_type', 'Content-Encoding must be gzip, deflate, br or identity', {
      field: 'Content-Encoding'
    })
  }
  const chunkSize = Math.min(MAX_CHUNK, Math.max(MIN_CHUNK, bytes.length * EXPECTED_RATIO))
  try {
    return await inflater(bytes, { maxOutputLength: maxBytes, chunkSize })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes)
    throw new GatewayError('invalid_json', `the body is not valid ${encoding}`, { cause })
  }
}

/** How the content type says that the body is to be read; a missing one is taken as JSON. */
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

/**
 * The body of a request whose parser gave the raw Buffer. Throws `unsupported_media_type`, `payload_too_large` (the
 * decompression stops at the limit) and `invalid_json` for a body that does not decompress.
 */
export async function readBody(req: FastifyRequest, options: BodyOptions): Promise<ReceivedBody> {
  const type = options.form ? { form: options.form, isPlainText: false } : formOf(req.headers['content-type'], options)
  const received = Buffer.isBuffer(req.body) ? req.body : EMPTY
  if (received.length > options.maxBytes) throw tooLarge(options.maxBytes)
  const encoding = (req.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (encoding === 'identity' || encoding === '') return { bytes: received, ...type }
  return { bytes: await decompress(received, encoding, options.maxBytes), ...type }
}

/** Makes the routes of an encapsulated plugin take every body as raw bytes; their schemas only document. */
export function takeRawBodies(plugin: FastifyInstance, maxBytes: number): void {
  plugin.removeAllContentTypeParsers()
  plugin.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (_req, body, done) => done(null, body))
  plugin.setValidatorCompiler(() => () => true)
}
