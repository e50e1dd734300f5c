import type { FastifyInstance } from 'fastify'
import type { GatewayError } from '../domain/errors.js'
import { toProblem } from './error-reply.js'
import { toGatewayError } from './error-translation.js'
import { logFault } from './log-fault.js'

/** `code` of InfluxDB's errors by our status (docs.influxdata.com/influxdb/v2/api, schema Error). */
const CODES: ReadonlyMap<number, string> = new Map([
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'not found'],
  [410, 'not found'],
  [413, 'request too large'],
  [422, 'unprocessable entity'],
  [429, 'too many requests'],
  [500, 'internal error'],
  [503, 'unavailable']
])
const LINE = /\bline (\d+): /
/** Codes of records that were refused only for their time: InfluxDB responds 422 to points beyond the retention. */
const OF_TIME: ReadonlySet<string> = new Set(['timestamp_too_old', 'timestamp_in_future'])

/**
 * The status of an error. Lines that were refused for good get 400 or 422, whatever their code: a retryable one, such as that of
 * the series limit, would be repeated forever.
 */
function statusOf(error: GatewayError, status: number): number {
  const byCode = error.members['rejected_by_code']
  if (typeof byCode !== 'object' || byCode === null) return status
  return Object.keys(byCode).every(code => OF_TIME.has(code)) ? 422 : 400
}

/** Errors of the routes of a scope in the shape of InfluxDB: of 2.x `{"code","message"}`, of 1.x `{"error"}`. */
export function sendInfluxErrors(scope: FastifyInstance): void {
  scope.setErrorHandler((thrown, request, reply) => {
    const error = toGatewayError(thrown)
    const { status: found, headers, body } = toProblem(error, request.id)
    if (found >= 500) logFault(request.log, { request_id: request.id, route: request.routeOptions.url }, error, 'request failed')
    const status = statusOf(error, found)
    const message = `${error.code}: ${body.detail}`
    const line = LINE.exec(message)?.[1]
    const isSecond = request.url.split('?', 1)[0]!.endsWith('/api/v2/write')
    const second = { code: CODES.get(status) ?? 'invalid', message, ...(line !== undefined && { line: Number(line) }) }
    return reply
      .code(status)
      .headers({ ...headers, 'content-type': 'application/json; charset=utf-8' })
      .send(isSecond ? second : { error: message })
  })
}
