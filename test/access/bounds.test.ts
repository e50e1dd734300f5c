import { randomBytes } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { LoginThrottle } from '../../src/access/login-throttle.js'
import { PasswordHasher } from '../../src/access/passwords.js'
import { ReadThroughCache } from '../../src/access/read-through-cache.js'
import { SecretSource } from '../../src/access/secrets.js'
import { ManualTime } from '../support/manual-time.js'
import { TEST_COST } from '../support/open-access.js'

describe('a read-through cache', () => {
  const bounds = { hits: 2, misses: 2, maxAgeMs: () => null }

  it('asks once for what exists and once for what does not', async () => {
    const asked: string[] = []
    const cache = new ReadThroughCache<string, string>(
      async key => {
        asked.push(key)
        return key === 'none' ? null : key
      },
      bounds,
      new ManualTime()
    )
    for (let i = 0; i < 3; i++) expect([await cache.get('a'), await cache.get('none')]).toEqual(['a', null])
    expect(asked).toEqual(['a', 'none'])
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

  it('asks again when an entry is too old', async () => {
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

describe('the login throttle', () => {
  it('remembers at most 10,000 pairs', () => {
    const throttle = new LoginThrottle(new ManualTime())
    for (let i = 0; i < 10_050; i++) throttle.count(`user${i}`, '::1')
    expect(throttle.size).toBe(10_000)
  })

  it('tells how long to wait', () => {
    const clock = new ManualTime()
    const throttle = new LoginThrottle(clock)
    for (let i = 0; i < 5; i++) {
      throttle.count('ada', '::1')
      clock.pass(1000)
    }
    let thrown: unknown
    try {
      throttle.count('ada', '::1')
    } catch (error) {
      thrown = error
    }
    expect(thrown).toMatchObject({ code: 'rate_limited', retryAfterS: 55 })
  })
})

describe('the password hasher', () => {
  it('refuses more than 64 in line and serves the others', async () => {
    const hasher = new PasswordHasher(new SecretSource(randomBytes), TEST_COST)
    const all = await Promise.allSettled(Array.from({ length: 70 }, () => hasher.hash('password')))
    const refused = all.filter(result => result.status === 'rejected')
    expect(refused).toHaveLength(4)
    expect(refused[0]!.reason).toMatchObject({ code: 'overloaded' })
    expect(await hasher.hash('password')).toContain('scrypt$1$')
  })

  it('works as hard for an unknown user as for a wrong password', async () => {
    const hasher = new PasswordHasher(new SecretSource(randomBytes), TEST_COST)
    expect(await hasher.verify('password', null)).toBe(false)
    const all = await Promise.allSettled(Array.from({ length: 70 }, () => hasher.verify('password', null)))
    expect(all.filter(result => result.status === 'rejected')).toHaveLength(4)
  })

  it('never hashes alike twice and takes composed and decomposed letters for the same', async () => {
    const hasher = new PasswordHasher(new SecretSource(randomBytes), TEST_COST)
    const hash = await hasher.hash('caf\u00e9 au lait')
    expect(await hasher.hash('caf\u00e9 au lait')).not.toBe(hash)
    expect(await hasher.verify('cafe\u0301 au lait', hash)).toBe(true)
    expect(await hasher.verify('cafe au lait', hash)).toBe(false)
    expect(await hasher.verify('x', 'not a hash')).toBe(false)
  })
})
