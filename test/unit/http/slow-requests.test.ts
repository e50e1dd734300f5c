import { Readable } from 'node:stream'
import { afterEach, expect, it } from '@jest/globals'
import { pino } from 'pino'
import { type ServedRoutes, serveRoutes } from '../../support/serve-routes.js'

let served: ServedRoutes
afterEach(() => served.close())

it('logs slow requests, but for streams of events, which last as long as their clients stay', async () => {
  const slow: unknown[] = []
  let onLine = (): void => undefined
  const logged = new Promise<void>(resolve => (onLine = resolve))
  const write = (line: string): void => {
    slow.push((JSON.parse(line) as { readonly route: string }).route)
    onLine()
  }
  served = await serveRoutes(
    app => {
      app.addHook('onRequest', async (_request, reply) => void Object.defineProperty(reply, 'elapsedTime', { value: 5_001 }))
      app.get('/events', async (_request, reply) => reply.type('text/event-stream').send(Readable.from(['data: 1\n\n'])))
      app.get('/query', async () => ({ rows: [] }))
    },
    pino({ level: 'warn' }, { write })
  )
  for (const path of ['/events', '/query']) await (await fetch(`${served.url}${path}`)).text()
  await logged
  expect(slow).toEqual(['/query'])
})
