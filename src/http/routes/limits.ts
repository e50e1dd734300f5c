import type { FastifyInstance } from 'fastify'

/** Limits by area and name; sizes in bytes, times in milliseconds, as their names state. */
export type LimitsInForce = Readonly<Record<string, Readonly<Record<string, number>>>>

const SCHEMA = {
  operationId: 'getLimits',
  tags: ['operations'],
  response: {
    200: {
      description: 'Limits by area; sizes in bytes, times in milliseconds.',
      type: 'object',
      additionalProperties: { type: 'object', additionalProperties: { type: 'number' } }
    }
  }
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}

function inSnakeCase(limits: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(limits).map(([name, value]) => [snakeCase(name), value]))
}

/** Registers `GET /api/v1/limits`. */
export function limitsRoutes(app: FastifyInstance, limits: LimitsInForce): void {
  const response = Object.fromEntries(Object.entries(limits).map(([area, values]) => [area, inSnakeCase(values)]))
  app.get('/api/v1/limits', { schema: SCHEMA }, async () => response)
}
