import { PassThrough } from 'node:stream'
import { expect, it } from '@jest/globals'
import { pino } from 'pino'
import { type ErrorCode, GatewayError } from '../../src/domain/errors.js'
import { serveRoutes } from '../support/serve-routes.js'

async function loggedFor(code: ErrorCode): Promise<Record<string, unknown>[]> {
  const lines = new PassThrough()
  const served = await serveRoutes(app => {
    app.get('/failing', () => {
      throw new GatewayError(code, 'what went wrong')
    })
  }, pino(lines))
  await (await fetch(`${served.url}/failing`)).text()
  await served.close()
  const text = String(lines.read() ?? '')
  const entries = text.split('\n').flatMap(line => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>]))
  return entries.filter(({ msg }) => msg === 'request failed')
}

it('logs a query that took too long as a warning without a stack', async () => {
  const [line, ...others] = await loggedFor('query_timeout')
  expect(line).toMatchObject({ level: 40, code: 'query_timeout', detail: 'what went wrong', path: '/failing' })
  expect(line).not.toHaveProperty('err')
  expect(others).toEqual([])
})

it.each<ErrorCode>(['internal', 'store_unavailable'])('logs %s as an error with its stack', async code => {
  expect(await loggedFor(code)).toMatchObject([{ level: 50, code, err: { stack: expect.stringContaining('what went wrong') } }])
})
