import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayError } from '../../domain/errors.js'
import { PromqlTimeout } from '../../query/promql/evaluate/budget.js'
import { PromqlBadQuery, PromqlExecutionError } from '../../query/promql/promql-error.js'
import { toProblem } from '../error-reply.js'
import { toGatewayError } from '../error-translation.js'
import { logFault } from '../log-fault.js'

interface PrometheusError {
  readonly status: number
  readonly errorType: string
  readonly error: string
}

/** `errorType` of Prometheus's API by our status. */
const TYPES: ReadonlyMap<number, string> = new Map([
  [400, 'bad_data'],
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [422, 'execution'],
  [429, 'too_many_requests'],
  [503, 'unavailable'],
  [504, 'timeout']
])

function known(thrown: unknown): PrometheusError | null {
  if (thrown instanceof PromqlBadQuery) {
    return { status: 400, errorType: 'bad_data', error: `invalid parameter "${thrown.parameter}": ${thrown.message}` }
  }
  if (thrown instanceof PromqlExecutionError) return { status: 422, errorType: 'execution', error: thrown.message }
  return thrown instanceof PromqlTimeout ? { status: 503, errorType: 'timeout', error: thrown.message } : null
}

function ofGateway(error: GatewayError, status: number, detail: string): PrometheusError {
  // Faults of parameters use the words of Prometheus, which has none for other faults.
  return { status, errorType: TYPES.get(status) ?? 'internal', error: status === 400 ? detail : `${error.code}: ${detail}` }
}

/** Sends an error in Prometheus's shape: `{"status":"error","errorType","error"}`. */
export function sendPrometheusError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const own = known(thrown)
  if (own !== null) {
    return reply.code(own.status).send({ status: 'error', errorType: own.errorType, error: own.error })
  }
  const error = toGatewayError(thrown)
  const { status, headers, body } = toProblem(error, request.id)
  if (status >= 500) logFault(request.log, { request_id: request.id, route: request.routeOptions.url }, error, 'request failed')
  const { errorType, error: text } = ofGateway(error, status, body.detail)
  return reply
    .code(status)
    .headers({ ...headers, 'content-type': 'application/json; charset=utf-8' })
    .send({ status: 'error', errorType, error: text })
}

/** Errors of the routes of a scope in Prometheus's shape. */
export function sendPrometheusErrors(scope: FastifyInstance): void {
  scope.setErrorHandler(sendPrometheusError)
}
