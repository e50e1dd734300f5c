import type { FastifyBaseLogger } from 'fastify'
import type { GatewayError } from '../domain/errors.js'

/** Logs a response of the 5xx statuses: our faults with their cause and stack, a query that was too heavy without. */
export function logFault(
  logger: Pick<FastifyBaseLogger, 'warn' | 'error'>,
  facts: Readonly<Record<string, unknown>>,
  error: GatewayError,
  message: string
): void {
  if (error.code === 'query_timeout') logger.warn({ ...facts, code: error.code, detail: error.message }, message)
  else logger.error({ ...facts, code: error.code, err: error }, message)
}
