import { beforeEach, describe, expect, it } from '@jest/globals'
import { addressPrefixes } from '../../src/access/address-prefix.js'
import { AttemptLog } from '../../src/access/attempt-log.js'
import { SignInThrottle } from '../../src/access/sign-in-throttle.js'
import { GatewayError } from '../../src/domain/errors.js'
import { ManualTime } from '../support/manual-time.js'

const MINUTE_MS = 60_000
let clock: ManualTime
let throttle: SignInThrottle
beforeEach(() => {
  clock = new ManualTime()
  throttle = new SignInThrottle(clock)
})

type Outcome = 'right' | 'wrong' | 'overloaded'

/** What becomes of an attempt: its rank in the queue, or the code that refused it. */
async function tries(email: string, address: string, outcome: Outcome = 'wrong', exists = true): Promise<number | string> {
  try {
    throttle.check(email, address)
    let rank = -1
    await throttle.begin(
      { email, exists },
      address
    )(async seat => {
      rank = seat.rank
      if (outcome === 'overloaded') throw new GatewayError('overloaded', 'full')
      return outcome === 'right' ? true : null
    })
    return rank
  } catch (error) {
    return (error as GatewayError).code
  }
}

describe('the networks of an address', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7', null],
    ['::ffff:192.0.2.7', '192.0.2.7', null],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:DB8:0001:2::9', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:db8::9', '2001:db8:0:0::/64', '2001:db8:0::/48'],
    ['::1', '0:0:0:0::/64', '0:0:0::/48'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
    ['1:2:3:4:5:6:192.0.2.7', '1:2:3:4::/64', '1:2:3::/48'],
    ['no address', 'no address', null]
  ])('%s is counted by %s and %s', (address, network, site) => {
    expect(addressPrefixes(address)).toEqual({ network, site })
  })
})

describe('a log of attempts', () => {
  it('forgets keys with a single attempt first, and never holds more than its bound', () => {
    const log = new AttemptLog(clock, { windowMs: MINUTE_MS, keys: 3 })
    log.add('attacker')
    log.add('attacker')
    for (let i = 0; i < 100; i++) log.add(`invented ${i}`)
    expect(log.recent('attacker')).toHaveLength(2)
    expect(log.size).toBe(3)
  })

  it('removes the given attempt', () => {
    const log = new AttemptLog(clock, { windowMs: MINUTE_MS, keys: 3 })
    const first = log.add('a')
    clock.pass(1000)
    log.add('a')
    first()
    first()
    expect(log.recent('a')).toEqual([1000])
  })
})

describe('the throttle of sign-ins', () => {
  it('reports how long to wait', async () => {
    for (let i = 0; i < 5; i++) {
      expect(await tries('ada', '192.0.2.1')).not.toBe('rate_limited')
      clock.pass(1000)
    }
    await expect(async () => throttle.check('ADA ', '192.0.2.1')).rejects.toMatchObject({
      code: 'rate_limited',
      retryAfterS: 55
    })
  })

  it('stops an address at 30 failures a minute, whatever the accounts, before one is looked up', async () => {
    for (let i = 0; i < 30; i++) expect(await tries(`invented${i}`, '192.0.2.1', 'wrong', false)).toBe(1 + i)
    expect(() => throttle.check('ada', '192.0.2.1')).toThrow('at most 30 a minute')
    expect(await tries('ada', '192.0.2.2')).toBe(1)
    clock.pass(MINUTE_MS)
    expect(await tries('ada', '192.0.2.1')).toBe(1)
  })

  it('counts an IPv6 address by its /64, and a /48 at 120 failures', async () => {
    for (let i = 0; i < 30; i++) await tries(`a${i}`, `2001:db8:0:1::${i}`)
    expect(await tries('ada', '2001:db8:0:1::ffff')).toBe('rate_limited')
    for (let i = 30; i < 120; i++) expect(await tries(`a${i}`, `2001:db8:0:${i}::1`)).not.toBe('rate_limited')
    expect(await tries('ada', '2001:db8:0:ffff::1')).toBe('rate_limited')
    expect(await tries('ada', '2001:db8:1::1')).toBe(1)
  })

  it('counts concurrent attempts before their outcome is known', async () => {
    const all = await Promise.all(Array.from({ length: 100 }, (_, i) => tries(`a${i}`, '192.0.2.1')))
    expect(all.filter(one => one === 'rate_limited')).toHaveLength(70)
  })

  it('does not count what was not checked, nor right passwords against the address', async () => {
    for (let i = 0; i < 100; i++) expect(await tries('ada', '192.0.2.1', 'overloaded')).toBe('overloaded')
    for (let i = 0; i < 100; i++) expect(await tries(`user${i}`, '192.0.2.1', 'right')).not.toBe('rate_limited')
    for (let i = 0; i < 5; i++) expect(await tries('ada', '192.0.2.1')).not.toBe('rate_limited')
    expect(await tries('ada', '192.0.2.1')).toBe('rate_limited')
  })

  it('ranks a network by its failures and by how often the queue refused it, not by attempts that are open', async () => {
    expect(await Promise.all([1, 2, 3].map(i => tries(`user${i}`, '192.0.2.1', 'right')))).toEqual([1, 1, 1])
    await tries('ada', '192.0.2.1')
    await tries('ada', '192.0.2.1', 'overloaded')
    expect([await tries('eve', '192.0.2.1'), await tries('eve', '192.0.2.2')]).toEqual([3, 1])
  })

  it('does not forget an attacker for invented accounts or addresses', async () => {
    for (let i = 0; i < 5; i++) await tries('ada', '192.0.2.1')
    for (let i = 0; i < 12_000; i++) await tries(`invented${i}`, `10.0.${i >> 8}.${i & 255}`, 'wrong', false)
    expect(await tries('ada', '192.0.2.1')).toBe('rate_limited')
    const { known, unknown, networks } = throttle.sizes
    expect({ known, unknown, networks }).toEqual({ known: 1, unknown: 10_000, networks: 10_000 })
  })

  it('limits accounts that do not exist as those that do', async () => {
    const run = async (email: string, exists: boolean): Promise<readonly unknown[]> => {
      const seen: unknown[] = []
      for (let i = 0; i < 7; i++) seen.push(await tries(email, `192.0.2.${exists ? 1 : 2}`, 'wrong', exists))
      for (let i = 0; i < 30; i++) seen.push(await tries(email, `10.${exists ? 1 : 2}.0.${i}`, 'wrong', exists))
      for (let i = 0; i < 3; i++) seen.push(await tries(email, `10.${exists ? 1 : 2}.1.1`, 'wrong', exists))
      return seen
    }
    expect(await run('absent', false)).toEqual(await run('ada', true))
  })
})

describe('a distributed attack on one account', () => {
  const attack = async (): Promise<void> => {
    for (let i = 0; i < 200; i++) await tries('ada', `10.0.0.${i % 100}`)
  }

  it('leaves each unknown network 2 attempts in 15 minutes, and lets a fresh one in', async () => {
    await attack()
    clock.pass(MINUTE_MS)
    expect(await tries('ada', '10.0.0.1')).toBe('rate_limited')
    expect(await tries('ada', '192.0.2.1', 'right')).toBe(1)
    clock.pass(14 * MINUTE_MS)
    expect(await tries('ada', '10.0.0.1')).toBe(1)
  })

  it('lets several right attempts in that a fresh network makes at once', async () => {
    await attack()
    clock.pass(MINUTE_MS)
    const all = await Promise.all([1, 2, 3, 4].map(() => tries('ada', '192.0.2.1', 'right')))
    expect(all).toEqual([1, 1, 1, 1])
  })

  it('does not touch a network that signed in before, which goes first', async () => {
    expect(await tries('ada', '192.0.2.1', 'right')).toBe(1)
    await attack()
    for (let i = 0; i < 30; i++) await tries(`other${i}`, '192.0.2.1')
    expect(await tries('eve', '192.0.2.1')).toBe('rate_limited')
    expect(await tries('ada', '192.0.2.1', 'wrong')).toBe(0)
    expect(await tries('ada', '192.0.2.1', 'wrong')).toBe(0)
    expect(await tries('ada', '192.0.2.1', 'right')).toBe(0)
  })

  it('is skipped when one network fails often', async () => {
    for (let i = 0; i < 14; i++) {
      for (let j = 0; j < 5; j++) await tries('ada', '10.0.0.1')
      clock.pass(MINUTE_MS)
    }
    for (let i = 0; i < 5; i++) expect(await tries('ada', '192.0.2.1')).not.toBe('rate_limited')
  })
})
