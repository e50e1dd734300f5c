import { request } from 'node:http'
import { afterEach, expect, it } from '@jest/globals'
import { pino } from 'pino'
import { type ServedRoutes, serveRoutes } from '../../support/serve-routes.js'

let served: ServedRoutes
afterEach(() => served.close())

/** Counts requests in flight; `all` resolves when so many have ended. */
class Requests {
  began = 0
  ended = 0
  #onEnd: (() => void) | null = null

  begin(): () => void {
    this.began++
    return () => {
      this.ended++
      this.#onEnd?.()
    }
  }

  async all(count: number): Promise<void> {
    while (this.ended < count) await new Promise<void>(resolve => (this.#onEnd = resolve))
  }
}

it('every request is reported when it arrives and when it has a response, also one without a route', async () => {
  const shortRequests = new Requests()
  served = await serveRoutes(app => void app.get('/one', () => ({ response: 1 })), pino({ level: 'silent' }), { shortRequests })
  await (await fetch(`${served.url}/one`)).text()
  await (await fetch(`${served.url}/none`)).text()
  await shortRequests.all(2)
  expect(shortRequests.began).toBe(2)
})

it('a request ends with its client, too', async () => {
  const shortRequests = new Requests()
  let onCome = (): void => undefined
  const come = new Promise<void>(resolve => (onCome = resolve))
  const route = (): Promise<never> => (onCome(), new Promise<never>(() => undefined))
  served = await serveRoutes(app => void app.get('/never', route), pino({ level: 'silent' }), { shortRequests })
  const requested = request(`${served.url}/never`).on('error', () => undefined)
  const closed = new Promise<void>(resolve => requested.on('close', resolve))
  requested.end()
  await come
  expect(shortRequests.ended).toBe(0)
  requested.destroy()
  await closed
  await shortRequests.all(1)
  expect(shortRequests.began).toBe(1)
})
