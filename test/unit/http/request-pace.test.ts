import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { paceRequests, REQUESTS_AT_ONCE } from '../../../src/http/request-pace.js'

type Send = (url: string, headers?: IncomingMessage['headers'], isPipelined?: boolean) => void

/** A paced handler of requests, and the paths that it has handled. */
function handling(): { readonly handled: string[]; readonly send: Send } {
  const handled: string[] = []
  const handle = paceRequests(({ url = '' }) => void handled.push(url))
  const send: Send = (url, headers = {}, isPipelined = false) => {
    const socket = { destroyed: false }
    handle({ url, headers, socket } as IncomingMessage, { socket: isPipelined ? null : socket } as ServerResponse)
  }
  return { handled, send }
}

describe('requests that come together', () => {
  it('are handled at once up to the bound of an iteration', () => {
    const { handled, send } = handling()
    for (let i = 0; i < 2 * REQUESTS_AT_ONCE; i++) send(`/${i}`)
    expect(handled).toHaveLength(REQUESTS_AT_ONCE - 1)
  })

  it.each([
    ['x-api-key', { 'x-api-key': 'a' }, { 'x-api-key': 'b' }],
    ['authorization', { authorization: 'Bearer a' }, { authorization: 'Bearer b' }],
    ['no credential', { 'x-api-key': 'a' }, {}]
  ])('are begun round-robin by their credential: %s', async (_name, burst, other) => {
    const { handled, send } = handling()
    for (let i = 0; i < 1_000; i++) send('/burst', burst)
    send('/other', other)
    expect(handled).not.toContain('/other')
    await nextIteration()
    expect(handled).toHaveLength(2 * REQUESTS_AT_ONCE - 1)
    expect(handled).toContain('/other')
  })

  it('are handled at once behind another one of their connection: no more than one of a connection waits', () => {
    const { handled, send } = handling()
    for (let i = 0; i < 1_000; i++) send('/first')
    handled.length = 0
    for (let i = 0; i < 1_000; i++) send('/pipelined', {}, true)
    expect(handled).toHaveLength(1_000)
  })

  it('are all handled, those of one credential in their order', async () => {
    const { handled, send } = handling()
    const urls = Array.from({ length: 100 }, (_, i) => `/${i}`)
    for (const url of urls) send(url)
    for (let i = 0; i < urls.length / REQUESTS_AT_ONCE; i++) await nextIteration()
    expect(handled).toEqual(urls)
  })
})
