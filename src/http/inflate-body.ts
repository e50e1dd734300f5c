import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import type { BrotliDecompress, Gunzip, Inflate, InflateRaw } from 'node:zlib'
import { GatewayError } from '../domain/errors.js'
import type { BodyBytes } from '../ingest/byte-budget.js'
import { bodyTooLarge } from './body-collection.js'

type Inflater = BrotliDecompress | Gunzip | Inflate | InflateRaw

// Each chunk of output is one trip to the thread pool; JSON shrinks to about an eighth.
const MIN_CHUNK = 16 * 1024
const MAX_CHUNK = 256 * 1024
const EXPECTED_RATIO = 8

/** RFC 9110 calls the zlib format `deflate`; some clients send the bare stream. */
function isZlib(bytes: Buffer): boolean {
  return (bytes[0]! & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0
}

function inflaterFor(encoding: string, bytes: Buffer): Inflater | null {
  const options = { chunkSize: Math.min(MAX_CHUNK, Math.max(MIN_CHUNK, bytes.length * EXPECTED_RATIO)) }
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip(options)
    case 'deflate':
      return bytes.length < 2 || isZlib(bytes) ? createInflate(options) : createInflateRaw(options)
    case 'br':
      return createBrotliDecompress(options)
    default:
      return null
  }
}

/**
 * Decompresses a body; each chunk of output takes its bytes of the budget before the next is made, whatever the body says
 * of its length. `payload_too_large` at the limit, `invalid_json` for what does not decompress.
 */
export function inflateBody(bytes: Buffer, encoding: string, maxBytes: number, body: BodyBytes): Promise<Buffer> {
  const inflater = inflaterFor(encoding, bytes)
  if (inflater === null) {
    throw new GatewayError('unsupported_media_type', 'Content-Encoding must be gzip, deflate, br or identity', {
      field: 'Content-Encoding'
    })
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    let [isWaiting, isAtEnd] = [false, false]
    const fail = (error: Error): void => {
      reject(error)
      inflater.destroy()
    }
    const waitFor = async (chunkBytes: number): Promise<void> => {
      inflater.pause()
      isWaiting = true
      await body.take(chunkBytes)
      isWaiting = false
      if (isAtEnd) onEnd()
      else inflater.resume()
    }
    inflater.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > maxBytes) return fail(bodyTooLarge(maxBytes))
      chunks.push(chunk)
      return body.tryTake(chunk.length) ? undefined : void waitFor(chunk.length).catch(fail)
    })
    // A pause does not keep the end back.
    const onEnd = (): void => {
      isAtEnd = true
      if (!isWaiting) resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length))
    }
    inflater.on('end', onEnd)
    inflater.on('error', cause => fail(new GatewayError('invalid_json', `the body is not valid ${encoding}`, { cause })))
    inflater.end(bytes)
  })
}
