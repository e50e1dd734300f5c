import { beforeEach, describe, expect, it } from '@jest/globals'
import { MAX_DELAYED, MAX_DELAYED_PER_NETWORK, REFUSAL_DELAY_MS, RefusalDelay } from '../../src/access/refusal-delay.js'
import type { ErrorCode } from '../../src/domain/errors.js'
import { GatewayError } from '../../src/domain/errors.js'
import { ManualTime } from '../support/manual-time.js'
import { openTestAccess } from '../support/open-access.js'

const ADDRESS = '192.0.2.1'

let time: ManualTime
let refusals: RefusalDelay
let ended: string[]

beforeEach(() => {
  time = new ManualTime()
  refusals = new RefusalDelay(time)
  ended = []
})

/** Notes the code of the error when its response may be sent. */
async function refuse(address: string, code: ErrorCode = 'rate_limited'): Promise<void> {
  const attempt = async (): Promise<never> => {
    throw new GatewayError(code, 'no')
  }
  await refusals.of(address, attempt).catch(() => ended.push(code))
}

/** Ends when everything that was due has run. */
const settled = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

describe('the delay of refused attempts', () => {
  it.each<ErrorCode>(['rate_limited', 'overloaded'])('sends %s a second later', async code => {
    const refused = refuse(ADDRESS, code)
    await settled()
    time.pass(REFUSAL_DELAY_MS - 1)
    await settled()
    expect([ended, refusals.total]).toEqual([[], 1])
    time.pass(1)
    await refused
    expect([ended, refusals.total]).toEqual([[code], 0])
  })

  it('delays neither a result nor a wrong password', async () => {
    expect(await refusals.of(ADDRESS, () => Promise.resolve('in'))).toBe('in')
    await refuse(ADDRESS, 'invalid_credential')
    expect(ended).toEqual(['invalid_credential'])
  })

  it('delays at most its share of a network, of other networks still', async () => {
    for (let i = 0; i < MAX_DELAYED_PER_NETWORK + 1; i++) void refuse('2001:db8::1')
    void refuse('2001:db8:0:1::1', 'overloaded')
    await settled()
    expect([ended, refusals.total]).toEqual([['rate_limited'], MAX_DELAYED_PER_NETWORK + 1])
    time.pass(REFUSAL_DELAY_MS)
    await settled()
    expect(ended).toHaveLength(MAX_DELAYED_PER_NETWORK + 2)
    void refuse('2001:db8::1')
    await settled()
    expect(refusals.total).toBe(1)
  })

  it('delays no more than its bound in all', async () => {
    for (let i = 0; i < MAX_DELAYED + 3; i++) void refuse(`198.51.${i >> 8}.${i & 255}`)
    await settled()
    expect([ended.length, refusals.total]).toEqual([3, MAX_DELAYED])
  })

  it('applies to sign-ins and registrations', async () => {
    const opened = await openTestAccess({ timers: time })
    const { signIn } = opened.access
    const login = { email: 'ada@example.com', password: 'wrong password', address: ADDRESS }
    for (let i = 0; i < 5; i++) await expect(signIn.login(login)).rejects.toMatchObject({ code: 'invalid_credential' })
    const refused = signIn.login(login)
    await time.dueIn(REFUSAL_DELAY_MS)
    time.pass(REFUSAL_DELAY_MS)
    await expect(refused).rejects.toMatchObject({ code: 'rate_limited' })
    for (let i = 0; i < 5; i++) await signIn.register({ ...login, email: `new${i}@example.com` })
    const sixth = signIn.register({ ...login, email: 'new5@example.com' })
    await time.dueIn(REFUSAL_DELAY_MS)
    time.pass(REFUSAL_DELAY_MS)
    await expect(sixth).rejects.toMatchObject({ code: 'rate_limited' })
    await opened.close()
  })
})
