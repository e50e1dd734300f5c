import { GatewayError } from '../../../domain/errors.js'
import type { Send } from '../read/http-search-engine.js'
import { EngineRefusal, type EngineClient } from './engine-client.js'
import { faultOf } from './engine-errors.js'

/** How searches are sent: the engine's refusal of a query is the caller's fault, an answer that comes too late a limit. */
export function sendSearches(client: EngineClient, timeoutMs: number): Send {
  return async ({ path, querystring, body, headers }, signal) => {
    const isNdjson = headers?.['content-type'] === 'application/x-ndjson'
    const content = isNdjson ? Buffer.from(body) : body
    const lateError = new GatewayError('query_timeout', `the search store did not answer within ${timeoutMs} ms`)
    const call = { method: 'POST', path, query: querystring, body: content, timeoutMs, signal, lateError, accept: [400] } as const
    const reply = await client.request(call)
    if (reply.status < 400) return reply.body
    const { reason } = faultOf(reply.status, reply.body)
    throw new GatewayError('query_unsupported', `the search store cannot answer this: ${reason}`, {
      cause: new EngineRefusal(reply.status, reply.body)
    })
  }
}
