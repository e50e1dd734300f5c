import { afterEach, expect, it } from '@jest/globals'
import type { NamespaceId } from '../../src/domain/ids.js'
import { planRequest } from '../../src/query/promql/run-query.js'
import { promqlBounds } from '../../src/query/promql/promql-query.js'
import { PromqlThreads } from '../../src/query/promql/promql-threads.js'
import { DEFAULT_QUERY_SETTINGS } from '../../src/query/settings.js'

const OF_ONE = 32
const OVERLOADED = { code: 'overloaded', retryAfterS: 1 }

const pool = new PromqlThreads({ count: 2 })
afterEach(() => pool.close())

it('so many queries wait for a thread, of one namespace and of all', async () => {
  const leaving = new AbortController()
  const request = { query: 'm', steps: { startMs: 0, stepMs: 1, count: 1 }, isRange: false }
  const bounds = promqlBounds(DEFAULT_QUERY_SETTINGS)
  const { reads } = planRequest(request, bounds)
  const context = { request, bounds, reads: reads.list, timeoutMs: 60_000, signal: leaving.signal }
  /** Its samples never come: it holds its thread until it leaves. */
  const send = (namespace: string): Promise<unknown> => {
    return pool.run({ ...context, namespace: namespace as NamespaceId, select: () => new Promise(() => undefined) })
  }
  const held: Promise<unknown>[] = []
  const hold = (namespace: string, count: number): void => {
    for (let i = 0; i < count; i++) held.push(send(namespace).catch(() => 'left'))
  }
  // One of each of the first two has a thread.
  hold('n1', 1 + OF_ONE)
  await expect(send('n1')).rejects.toMatchObject(OVERLOADED)
  hold('n2', 1 + OF_ONE)
  hold('n3', OF_ONE)
  hold('n4', OF_ONE)
  await expect(send('n5')).rejects.toMatchObject(OVERLOADED)
  leaving.abort()
  expect(await Promise.all(held)).toEqual(Array.from({ length: 4 * OF_ONE + 2 }, () => 'left'))
})
