import { withoutByteOrderMark } from '../domain/byte-order-mark.js'
import { GatewayError } from '../domain/errors.js'
import { parseJson } from '../wire/json/lossless-json.js'

/** The JSON of a body. Throws `invalid_json`. */
export function parseJsonBody(bytes: Buffer): unknown {
  try {
    return parseJson(withoutByteOrderMark(bytes))
  } catch {
    throw new GatewayError('invalid_json', 'the body is not JSON')
  }
}
