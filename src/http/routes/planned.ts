import type { FastifyInstance } from 'fastify'
import { GatewayError } from '../../domain/errors.js'

const PLANNED: ReadonlyArray<{ readonly url: string; readonly operationId: string; readonly what: string }> = [
  { url: '/api/v1/apm/services', operationId: 'listServices', what: 'listing services' },
  { url: '/api/v1/apm/services/:name', operationId: 'getService', what: 'reading a service' }
]

function paramsOf(url: string): object | undefined {
  const names = [...url.matchAll(/:(\w+)/g)].map(match => match[1]!)
  if (names.length === 0) return undefined
  return { type: 'object', required: names, properties: Object.fromEntries(names.map(name => [name, { type: 'string' }])) }
}

/** Registers what the interface has and this version has not: 501, never an empty list. */
export function plannedRoutes(app: FastifyInstance): void {
  for (const { url, operationId, what } of PLANNED) {
    const params = paramsOf(url)
    const schema = {
      operationId,
      tags: ['traces'],
      summary: `Planned: ${what}`,
      response: {
        501: { description: 'Not there yet.', content: { 'application/problem+json': { schema: { $ref: 'Problem#' } } } }
      },
      ...(params === undefined ? {} : { params })
    }
    app.get(url, { schema }, async () => {
      throw new GatewayError('not_implemented', `${what} is planned and not there yet`)
    })
  }
}
