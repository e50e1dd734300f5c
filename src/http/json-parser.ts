import type { FastifyInstance, FastifyRequest } from 'fastify'
import { GatewayError } from '../domain/errors.js'
import { parseJson } from '../wire/json/lossless-json.js'
import { withoutByteOrderMark } from '../domain/byte-order-mark.js'
import { BodyReceiver } from './body-receiver.js'

const MAX_DEPTH = 64
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** Nesting beyond any real query; JSON.parse takes 200,000 levels and what reads them overflows. */
function isTooDeep(text: string): boolean {
  let depth = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (inString) {
      if (c === 92) i++
      else if (c === 34) inString = false
    } else if (c === 34) inString = true
    else if (c === 123 || c === 91) {
      if (++depth > MAX_DEPTH) return true
    } else if (c === 125 || c === 93) depth--
  }
  return false
}

function decode(body: Buffer): string {
  try {
    return decoder.decode(body)
  } catch (cause) {
    throw new GatewayError('invalid_json', 'the body is not valid UTF-8', { cause })
  }
}

/** The JSON value of a request body, integers beyond 2^53 as their digits; undefined for an empty one. `__proto__` stays an own key and changes nothing. */
export function parseJsonBody(sent: Buffer): unknown {
  const body = withoutByteOrderMark(sent)
  if (body.length === 0) return undefined
  const text = decode(body)
  if (isTooDeep(text)) throw new GatewayError('invalid_json', `the body is nested deeper than ${MAX_DEPTH} levels`)
  try {
    return parseJson(body)
  } catch (cause) {
    throw new GatewayError('invalid_json', `the body is not JSON: ${(cause as Error).message}`, { cause })
  }
}

/** Reads `application/json` (and `+json`) bodies of control and read routes; no other type is taken there. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(/^application\/(?:[a-z0-9.-]+\+)?json(?:;|$)/i, async (request: FastifyRequest) => {
    const encoding = request.headers['content-encoding']
    if (encoding !== undefined && encoding !== 'identity') {
      throw new GatewayError('unsupported_media_type', 'this route does not accept compressed bodies')
    }
    return parseJsonBody(await BodyReceiver.of(app).receive(request, request.routeOptions.bodyLimit))
  })
}
