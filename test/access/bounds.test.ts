import { randomBytes } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { LOCAL_SEAT } from '../../src/access/fair-queue.js'
import { PasswordHasher } from '../../src/access/passwords.js'
import { ReadThroughCache } from '../../src/access/read-through-cache.js'
import { SecretSource } from '../../src/access/secrets.js'
import { ManualTime } from '../support/manual-time.js'
import { TEST_COST } from '../support/open-access.js'

describe('a read-through cache', () => {
  const bounds = { hits: 2, misses: 2, maxAgeMs: () => null }

  it('loads once what exists and once for what does not', async () => {
    const requested: string[] = []
    const cache = new ReadThroughCache<string, string>(
      async key => {
        requested.push(key)
        return key === 'none' ? null : key
      },
      bounds,
      new ManualTime()
    )
    for (let i = 0; i < 3; i++) expect([await cache.get('a'), await cache.get('none')]).toEqual(['a', null])
    expect(requested).toEqual(['a', 'none'])
  })

  it('holds no more than its bounds, misses apart from hits', async () => {
    const cache = new ReadThroughCache<string, string>(async key => (key.startsWith('x') ? null : key), bounds, new ManualTime())
    for (const key of ['a', 'b', 'x1', 'x2', 'x3', 'x4']) await cache.get(key)
    expect(cache.sizes).toEqual({ hits: 2, misses: 2 })
    await cache.get('c')
    expect(cache.sizes).toEqual({ hits: 2, misses: 2 })
  })

  it('does not remember a load that a write overtook', async () => {
    let release = (): void => undefined
    const gate = new Promise<void>(resolve => (release = resolve))
    let value = 'old'
    const cache = new ReadThroughCache<string, string>(
      async () => {
        const read = value
        await gate
        return read
      },
      bounds,
      new ManualTime()
    )
    const slow = cache.get('k')
    value = 'new'
    cache.forget('k')
    release()
    expect(await slow).toBe('old')
    expect(await cache.get('k')).toBe('new')
  })

  it('shares one load among concurrent gets of a key, and none that a write overtook', async () => {
    const loads: { readonly key: string; readonly end: (value: string) => void }[] = []
    const load = (key: string): Promise<string> => new Promise(resolve => loads.push({ key, end: resolve }))
    const cache = new ReadThroughCache<string, string>(load, bounds, new ManualTime())
    const early = [cache.get('k'), cache.get('k'), cache.get('other')]
    cache.forget('k')
    const late = [cache.get('k'), cache.get('k')]
    expect(loads.map(({ key }) => key)).toEqual(['k', 'other', 'k'])
    for (const [i, { end }] of loads.entries()) end(`load ${i}`)
    expect(await Promise.all(early)).toEqual(['load 0', 'load 0', 'load 1'])
    expect(await Promise.all(late)).toEqual(['load 2', 'load 2'])
    expect(await cache.get('k')).toBe('load 2')
  })

  it('shares a failure with those who waited for it, and loads again for the next', async () => {
    let loads = 0
    const cache = new ReadThroughCache<string, number>(
      async () => {
        if (++loads === 1) throw new Error('down')
        return loads
      },
      bounds,
      new ManualTime()
    )
    const both = await Promise.allSettled([cache.get('k'), cache.get('k')])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect([await cache.get('k'), loads]).toEqual([2, 2])
  })

  it('takes each caller through its own queue: one that is refused does not refuse the others', async () => {
    let loads = 0
    const cache = new ReadThroughCache<string, number>(async () => ++loads, bounds, new ManualTime())
    const refused = cache.get('k', () => Promise.reject(new Error('queue full')))
    const admitted = cache.get('k', load => load())
    const queued = cache.get('k', async run => {
      await admitted
      return run()
    })
    await expect(refused).rejects.toThrow('queue full')
    expect([await admitted, await queued, loads]).toEqual([1, 1, 1])
  })

  it('reads again when an entry is too old', async () => {
    const clock = new ManualTime()
    let loads = 0
    const cache = new ReadThroughCache<string, number>(async () => ++loads, { ...bounds, maxAgeMs: () => 1000 }, clock)
    expect(await cache.get('k')).toBe(1)
    clock.pass(999)
    expect(await cache.get('k')).toBe(1)
    clock.pass(1)
    expect(await cache.get('k')).toBe(2)
  })
})

describe('the password hasher', () => {
  it('works as hard for an unknown user as for a wrong password: each takes a place of the queue', async () => {
    const hasher = new PasswordHasher(new SecretSource(randomBytes), TEST_COST, new ManualTime())
    expect(await hasher.verify('password', null, LOCAL_SEAT)).toBe(false)
    const all = await Promise.allSettled(Array.from({ length: 30 }, () => hasher.verify('password', null, LOCAL_SEAT)))
    expect(all.filter(result => result.status === 'rejected')).toHaveLength(30 - 2 - 16)
  })

  it('never hashes alike twice and takes composed and decomposed letters for the same', async () => {
    const hasher = new PasswordHasher(new SecretSource(randomBytes), TEST_COST, new ManualTime())
    const hash = await hasher.hash('caf\u00e9 au lait', LOCAL_SEAT)
    expect(await hasher.hash('caf\u00e9 au lait', LOCAL_SEAT)).not.toBe(hash)
    expect(await hasher.verify('cafe\u0301 au lait', hash, LOCAL_SEAT)).toBe(true)
    expect(await hasher.verify('cafe au lait', hash, LOCAL_SEAT)).toBe(false)
    expect(await hasher.verify('x', 'not a hash', LOCAL_SEAT)).toBe(false)
  })
})
