import { Metadata, type StatusObject } from '@grpc/grpc-js'
import type { ProblemReply } from '../http/error-reply.js'
import { rpcCode, rpcStatusWithRetry } from '../otlp/reply.js'

/** Longer strings do not fit into the headers that every client takes. */
const MAX_DETAILS = 1_000
/** Cutting may leave one, and no client could be sent it. */
const LONE_SURROGATE = /\p{Surrogate}/gu

/**
 * The status for a problem: the code that the gRPC mapping has for its HTTP status. A retryable one carries a
 * `google.rpc.RetryInfo` (OTLP specification 1.11, OTLP/gRPC throttling).
 */
export function toStatus({ status, headers, body }: ProblemReply, requestId: string): StatusObject {
  const details = `${body.code}: ${body.detail}`.slice(0, MAX_DETAILS).replaceAll(LONE_SURROGATE, '\ufffd')
  const metadata = new Metadata()
  metadata.set('x-request-id', requestId)
  const retryAfter = headers['retry-after']
  if (retryAfter !== undefined) {
    metadata.set('grpc-status-details-bin', rpcStatusWithRetry(status, details, Number(retryAfter)))
  }
  return { code: rpcCode(status), details, metadata }
}
