import { getMaxListeners } from 'node:events'
import { describe, expect, it } from '@jest/globals'
import { GatewayError } from '../../../src/domain/errors.js'
import type { KeyId, NamespaceId } from '../../../src/domain/ids.js'
import type { Principal } from '../../../src/domain/principal.js'
import { LargeReads } from '../../../src/query/large-reads.js'
import { QueryLimits } from '../../../src/query/query-limits.js'
import { DEFAULT_QUERY_SETTINGS } from '../../../src/query/settings.js'
import { timedPages } from '../../../src/query/timed-pages.js'

const ns = 'namespace01' as NamespaceId
const key = (keyId: string): Principal => ({
  kind: 'key',
  keyId: keyId as KeyId,
  keyKind: 'query',
  namespaces: [ns],
  allowedOrigins: []
})

function limits(settings: Partial<typeof DEFAULT_QUERY_SETTINGS> = {}) {
  const time = { ms: 0 }
  const clock = { nowNs: () => 0n, nowMs: () => 0, monotonicMs: () => time.ms }
  return {
    time,
    made: new QueryLimits({ clock, largeReads: new LargeReads(), settings: { ...DEFAULT_QUERY_SETTINGS, ...settings } })
  }
}

function codeOf(work: () => unknown): string {
  try {
    work()
    return 'accepted'
  } catch (error) {
    return error instanceof GatewayError ? error.code : String(error)
  }
}

/** Settles only when its signal ends, as an interrupted engine does. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('interrupted')))
  })
}

describe('admission of queries', () => {
  it('gives a signal that all queries of one operation may listen to', async () => {
    const requested = { principal: key('a'), namespace: ns, signal: new AbortController().signal }
    expect(await limits().made.run(requested, async signal => getMaxListeners(signal))).toBeGreaterThan(100)
  })

  it('lets so many queries of one principal run at once, and the next when one is done', () => {
    const { made } = limits({ runningPerPrincipal: 2 })
    const first = made.admit(key('a'), ns)
    made.admit(key('a'), ns)
    expect(codeOf(() => made.admit(key('a'), ns))).toBe('rate_limited')
    expect(codeOf(() => made.admit(key('b'), ns))).toBe('accepted')
    first.release()
    first.release()
    expect(codeOf(() => made.admit(key('a'), ns))).toBe('accepted')
    expect(codeOf(() => made.admit(key('a'), ns))).toBe('rate_limited')
  })

  it('limits the queries that start per second in one namespace, over all callers', () => {
    const { made, time } = limits({ queriesPerSecond: 5 })
    const start = (id: string) => codeOf(() => made.admit(key(id), ns))
    expect(['a', 'b', 'c', 'd', 'e'].map(start)).toEqual(Array(5).fill('accepted'))
    expect(made.rateOf(ns)).toEqual({ quota: 5, remaining: 0 })
    expect(start('f')).toBe('rate_limited')
    expect(codeOf(() => made.admit(key('f'), 'namespace02' as NamespaceId))).toBe('accepted')
    time.ms = 200
    expect([start('g'), start('h')]).toEqual(['accepted', 'rate_limited'])
  })

  it('ends a query at its time limit as query_timeout and lets the next one in', async () => {
    const { made } = limits({ timeoutMs: 5, runningPerPrincipal: 1 })
    const requested = { principal: key('a'), namespace: ns, signal: new AbortController().signal }
    await expect(made.run(requested, untilAborted)).rejects.toMatchObject({ code: 'query_timeout' })
    await expect(made.run(requested, async () => 7)).resolves.toBe(7)
  })

  it('ends a query when its caller goes away, which is not a timeout', async () => {
    const { made } = limits()
    const caller = new AbortController()
    let seen: AbortSignal | undefined
    const running = made.run({ principal: key('a'), namespace: ns, signal: caller.signal }, signal => {
      seen = signal
      return untilAborted(signal)
    })
    caller.abort()
    expect(seen!.aborted).toBe(true)
    await expect(running).rejects.toThrow('interrupted')
  })
})

describe('a stream of pages', () => {
  it('fails when a page does not come in time, and lets the store know', async () => {
    let seen: AbortSignal | undefined
    async function* store(signal: AbortSignal) {
      seen = signal
      yield [1]
      await untilAborted(signal).catch(() => {
        throw signal.reason
      })
    }
    const pages = timedPages(store, new AbortController().signal, 5)
    expect((await pages.next()).value).toEqual([1])
    await expect(pages.next()).rejects.toMatchObject({ code: 'query_timeout' })
    expect(seen!.aborted).toBe(true)
  })

  it('closes the store when the reader stops early', async () => {
    let isClosed = false
    async function* store() {
      try {
        yield [1]
        yield [2]
      } finally {
        isClosed = true
      }
    }
    for await (const page of timedPages(store, new AbortController().signal, 1_000)) {
      expect(page).toEqual([1])
      break
    }
    expect(isClosed).toBe(true)
  })
})
