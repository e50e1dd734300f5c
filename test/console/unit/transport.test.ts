import { describe, expect, it } from '@jest/globals'
import type { ApiError } from '../../../console/src/api/errors.js'
import { clockSkewMs, createTransport } from '../../../console/src/api/transport.js'

describe('the clock of the service', () => {
  it.each([
    ['a response at once', 10_000, 10_400, 10_500, 0],
    ['a response that took ten seconds', 12_000, 10_400, 20_500, 0],
    ['a service an hour ahead', 3_610_000, 10_400, 10_500, 3_599_500],
    ['a service an hour behind', 10_000 - 3_600_000, 10_400, 10_500, -3_600_400]
  ])('is read from %s', (_case, served, sent, received, skew) => {
    expect(clockSkewMs(served, sent, received)).toBe(skew)
  })
})

describe('a request', () => {
  const failing = (response: Response) => {
    const events: unknown[] = []
    const transport = createTransport(
      'http://127.0.0.1/base/',
      async () => response,
      event => events.push(event)
    )
    return { transport, events }
  }

  it('keeps the sentence, the code, the id and the wait of a refusal', async () => {
    const headers = { 'x-request-id': 'r1', 'retry-after': '7', 'content-type': 'application/problem+json' }
    const body = JSON.stringify({ detail: 'too many queries', code: 'rate_limited', retryable: true, suggestions: ['wait'] })
    const { transport, events } = failing(new Response(body, { status: 429, headers }))
    const error = await transport.send('api/v1/x', {}).catch((failure: unknown) => failure as ApiError)
    expect(error).toMatchObject({ message: 'too many queries', code: 'rate_limited', requestId: 'r1', retryAfterMs: 7_000 })
    expect(events).toEqual([{ isReachable: true, retryAfterMs: 7_000 }])
  })

  it('is unreachable when a proxy responds in its place', async () => {
    const { transport, events } = failing(new Response('<html>Bad gateway</html>', { status: 502 }))
    await expect(transport.send('x', {})).rejects.toMatchObject({ code: 'unexpected_response', status: 502 })
    expect(events).toEqual([{ isReachable: false, retryAfterMs: 2_000 }])
  })

  it('is not a failure of the service when the page cancels it', async () => {
    const controller = new AbortController()
    const events: unknown[] = []
    const transport = createTransport(
      'http://127.0.0.1/',
      async () => {
        controller.abort()
        throw new DOMException('aborted', 'AbortError')
      },
      event => events.push(event)
    )
    await expect(transport.send('x', { signal: controller.signal })).rejects.toMatchObject({ name: 'AbortError' })
    expect(events).toEqual([])
  })
})
