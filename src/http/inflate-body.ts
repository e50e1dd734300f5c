import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import type { BrotliDecompress, Gunzip, Inflate, InflateRaw } from 'node:zlib'
import { GatewayError } from '../domain/errors.js'
import type { BodyBytes } from '../ingest/byte-budget.js'
import { bodyTooLarge } from './body-collection.js'
import { joinInSlices } from './body-chunks.js'

type Inflater = BrotliDecompress | Gunzip | Inflate | InflateRaw

// Each chunk of output is one trip to the thread pool; JSON shrinks to about an eighth.
const MIN_CHUNK = 16 * 1024
const MAX_CHUNK = 256 * 1024
const EXPECTED_RATIO = 8

const ENCODINGS: ReadonlySet<string> = new Set(['gzip', 'x-gzip', 'deflate', 'br'])

/** RFC 9110 calls the zlib format `deflate`; some clients send the bare stream. */
function isZlib(bytes: Buffer): boolean {
  return (bytes[0]! & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0
}

function inflaterFor(encoding: string, bytes: Buffer): Inflater {
  const options = { chunkSize: Math.min(MAX_CHUNK, Math.max(MIN_CHUNK, bytes.length * EXPECTED_RATIO)) }
  switch (encoding) {
    case 'deflate':
      return bytes.length < 2 || isZlib(bytes) ? createInflate(options) : createInflateRaw(options)
    case 'br':
      return createBrotliDecompress(options)
    default:
      return createGunzip(options)
  }
}

/**
 * Decompresses a body, in turn with those of other namespaces; each chunk of output takes its bytes of the budget before the
 * next is made, whatever length the body states. `payload_too_large` at the limit, `invalid_json` for what does not
 * decompress, and what the budget refuses with.
 */
export async function inflateBody(bytes: Buffer, encoding: string, maxBytes: number, body: BodyBytes): Promise<Buffer> {
  if (!ENCODINGS.has(encoding)) {
    throw new GatewayError('unsupported_media_type', 'Content-Encoding must be gzip, deflate, br or identity', {
      field: 'Content-Encoding'
    })
  }
  const chunks: Buffer[] = []
  let length = 0
  let leave = await body.decompression()
  // Made now: one that waits would hold its output buffer.
  const inflater = inflaterFor(encoding, bytes)
  try {
    inflater.end(bytes)
    for await (const chunk of inflater as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > maxBytes) throw bodyTooLarge(maxBytes)
      if (!body.tryTake(chunk.length)) {
        leave()
        await body.take(chunk.length)
        leave = await body.decompression()
      }
      chunks.push(chunk)
    }
    return chunks.length === 1 ? chunks[0]! : await joinInSlices(chunks, length)
  } catch (cause) {
    if (cause instanceof GatewayError) throw cause
    throw new GatewayError('invalid_json', `the body is not valid ${encoding}`, { cause })
  } finally {
    leave()
    inflater.destroy()
  }
}
