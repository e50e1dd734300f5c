import {
  type ConnectionRequestOptions,
  type ConnectionRequestOptionsAsStream,
  type ConnectionRequestParams,
  type ConnectionRequestResponse,
  type ConnectionRequestResponseAsStream,
  errors,
  UndiciConnection
} from '@elastic/transport'
import { OversizedResponse } from './engine-errors.js'

/** Bytes of a response unless the request states fewer: the longest text of Node is a little longer. */
const MAX_RESPONSE_BYTES = 512 * 1024 * 1024 - 1024

/**
 * A connection that ends a response beyond `maxResponseSize` with `OversizedResponse`. The client's own does so with an
 * error event without a listener, which ends the process, when the length was announced.
 */
export class BoundedConnection extends UndiciConnection {
  override async request(params: ConnectionRequestParams, options: ConnectionRequestOptions): Promise<ConnectionRequestResponse>
  override async request(
    params: ConnectionRequestParams,
    options: ConnectionRequestOptionsAsStream
  ): Promise<ConnectionRequestResponseAsStream>
  override async request(
    params: ConnectionRequestParams,
    options: ConnectionRequestOptions
  ): Promise<ConnectionRequestResponse | ConnectionRequestResponseAsStream> {
    const { maxResponseSize = MAX_RESPONSE_BYTES, ...rest } = options
    const response = await super.request(params, { ...rest, asStream: true })
    return { ...response, body: await textOf(response, maxResponseSize) }
  }
}

async function textOf({ body, headers }: ConnectionRequestResponseAsStream, maxBytes: number): Promise<string> {
  // Whether it ends early is decided here.
  body.once('error', () => undefined)
  if (Number(headers?.['content-length'] ?? 0) > maxBytes) {
    body.destroy()
    throw new OversizedResponse(maxBytes)
  }
  body.setEncoding('utf8')
  let text = ''
  let bytes = 0
  try {
    for await (const chunk of body as AsyncIterable<string>) {
      bytes += Buffer.byteLength(chunk)
      if (bytes > maxBytes) throw new OversizedResponse(maxBytes)
      text += chunk
    }
  } catch (error) {
    if (error instanceof OversizedResponse) throw error
    throw new errors.ConnectionError(error instanceof Error ? error.message : String(error))
  }
  return text
}
