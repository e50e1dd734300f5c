import { describe, expect, it } from '@jest/globals'
import {
  type BodyBytes,
  type BudgetCaller,
  ByteBudget,
  MAX_WAIT_MS,
  MAX_WAITING,
  OPEN_BODY_BYTES,
  STAGGER_MS
} from '../../../src/ingest/byte-budget.js'
import { ManualTime } from '../../support/manual-time.js'
import { cpuMs } from '../../support/cpu-ms.js'

const MIB = 1024 * 1024
const WHOLE = 256 * MIB

const principal = (group: string, id = group): BudgetCaller => ({ kind: 'principal', group, id })
const browser = (group: string, id: string): BudgetCaller => ({ kind: 'browser', group, id })
const anonymous = (group: string): BudgetCaller => ({ kind: 'anonymous', group, id: group })

/** A body that has begun. */
function openBody(budget: ByteBudget, caller: BudgetCaller): BodyBytes {
  const body = budget.open(caller)
  body.tryTake(OPEN_BODY_BYTES)
  return body
}

function setUp(maxBytes = WHOLE): { budget: ByteBudget; time: ManualTime } {
  const time = new ManualTime()
  return { budget: new ByteBudget(maxBytes, time), time }
}

/** Bodies of a caller that take a MiB after the other while it fits. Returns what they have got. */
function takeAll(budget: ByteBudget, caller: BudgetCaller, bodies: number, mib: number): BodyBytes[] {
  const opened = Array.from({ length: bodies }, () => openBody(budget, caller))
  for (let i = 0; i < mib; i++) for (const body of opened) body.tryTake(MIB)
  return opened
}

const used = (bodies: readonly BodyBytes[]): number => bodies.reduce((sum, body) => sum + body.bytes, 0)

describe('a budget of bytes', () => {
  it('counts what bodies take and gets it back', () => {
    const { budget } = setUp()
    const body = openBody(budget, principal('a'))
    expect(body.tryTake(MIB)).toBe(true)
    expect(budget.state).toMatchObject({ usedBytes: MIB + OPEN_BODY_BYTES, bodies: 1, maxBytes: WHOLE })
    body.give(MIB / 2)
    expect(budget.state.usedBytes).toBe(MIB / 2 + OPEN_BODY_BYTES)
    body.release()
    body.release()
    expect(budget.state).toMatchObject({ usedBytes: 0, bodies: 0, waiting: 0 })
  })

  it('decompresses for the keys of a namespace in turn, one body at a time', async () => {
    const { budget } = setUp()
    const order: string[] = []
    const decompress = (id: string): Promise<() => void> => {
      const body = openBody(budget, principal('a', id))
      return body.decompression().then(done => (order.push(id), done))
    }
    const first = await decompress('many')
    const waiting = [decompress('many'), decompress('many'), decompress('few')]
    first()
    for (const next of [0, 2, 1]) (await waiting[next]!)()
    expect(order).toEqual(['many', 'many', 'few', 'many'])
  })

  it('gives one namespace at most half, however many bodies and keys it has', () => {
    const { budget } = setUp()
    const bodies = ['1', '2', '3'].flatMap(id => takeAll(budget, principal('a', id), 50, 10))
    expect(used(bodies)).toBeLessThanOrEqual(WHOLE / 2)
    expect(used(bodies)).toBeGreaterThan(WHOLE / 8)
  })

  it('leaves room for the small bodies of others, whatever three namespaces take', () => {
    const { budget } = setUp()
    for (const group of ['a', 'b', 'c']) takeAll(budget, principal(group), 128, 4)
    const other = openBody(budget, principal('d'))
    expect(other.tryTake(4 * MIB)).toBe(true)
  })

  it('leaves room for the small bodies of another caller of the same namespace', () => {
    const { budget } = setUp()
    takeAll(budget, principal('a', 'greedy'), 128, 4)
    expect(openBody(budget, principal('a', 'modest')).tryTake(2 * MIB)).toBe(true)
  })

  it('lets a single body of any size pass while nothing else is there', () => {
    const { budget } = setUp(8 * MIB)
    expect(openBody(budget, principal('a')).tryTake(64 * MIB)).toBe(true)
  })

  it('lets one of many bodies that grow together reach its end', () => {
    const { budget } = setUp()
    const bodies = takeAll(budget, principal('a'), 128, 48)
    expect(Math.max(...bodies.map(({ bytes }) => bytes))).toBeGreaterThan(48 * MIB)
  })

  it('gives callers without a credential a sixteenth, and one address an eighth of that', () => {
    const { budget } = setUp()
    const one = takeAll(budget, anonymous('192.0.2.1'), 50, 1)
    expect(used(one)).toBeLessThanOrEqual(2 * MIB)
    const all = Array.from({ length: 250 }, (_, i) => takeAll(budget, anonymous(`198.51.100.${i}`), 1, 1)).flat()
    expect(used(one) + used(all)).toBeLessThanOrEqual(16 * MIB)
  })

  it('gives all pages an eighth, and one key and address an eighth of that', () => {
    const { budget } = setUp()
    const one = takeAll(budget, browser('a', 'key 192.0.2.1'), 50, 4)
    expect(used(one)).toBeLessThanOrEqual(4 * MIB)
    const all = Array.from({ length: 50 }, (_, i) => takeAll(budget, browser(`n${i}`, `key ${i}`), 1, 4)).flat()
    expect(used(one) + used(all)).toBeLessThanOrEqual(32 * MIB)
  })
})

describe('a body that does not fit', () => {
  it('waits until another one of the caller has ended', async () => {
    const { budget } = setUp()
    const bodies = takeAll(budget, principal('a'), 2, 80)
    const [first, second] = bodies as [BodyBytes, BodyBytes]
    const before = second.bytes
    const waiting = second.take(8 * MIB)
    expect(budget.state.waiting).toBe(1)
    first.release()
    await waiting
    expect(second.bytes).toBe(before + 8 * MIB)
    expect(budget.state.waiting).toBe(0)
  })

  it('is refused as too much of its caller after the wait, with a time to try again', async () => {
    const { budget, time } = setUp()
    const [, second] = takeAll(budget, principal('a'), 2, 80) as [BodyBytes, BodyBytes]
    const waiting = second.take(32 * MIB)
    const refused = expect(waiting).rejects.toMatchObject({ code: 'rate_limited', retryAfterS: 1 })
    time.pass(MAX_WAIT_MS)
    await refused
    expect(budget.state).toMatchObject({ refusedShare: 1, refusedWhole: 0, waiting: 0 })
  })

  it('is refused as too much for the service when all of the budget is in use', async () => {
    const { budget, time } = setUp()
    for (let i = 0; i < 40; i++) takeAll(budget, principal(`n${i}`), 1, 8)
    const late = openBody(budget, principal('late'))
    const refused = expect(late.take(40 * MIB)).rejects.toMatchObject({ code: 'overloaded', retryAfterS: 1 })
    time.pass(MAX_WAIT_MS)
    await refused
    expect(budget.state).toMatchObject({ refusedWhole: 1 })
  })

  it('is refused at once when too many of its caller wait', async () => {
    const { budget, time } = setUp()
    const bodies = takeAll(budget, principal('a'), 2, 80)
    const waiting = Array.from({ length: MAX_WAITING }, () => bodies[1]!.take(32 * MIB).catch(() => 'refused later'))
    await expect(bodies[1]!.take(32 * MIB)).rejects.toMatchObject({ code: 'rate_limited' })
    expect(budget.state.waiting).toBe(MAX_WAITING)
    time.pass(MAX_WAIT_MS + MAX_WAITING * STAGGER_MS)
    await Promise.all(waiting)
  })

  it('no longer waits once its request has ended', async () => {
    const { budget } = setUp()
    const [, second] = takeAll(budget, principal('a'), 2, 80) as [BodyBytes, BodyBytes]
    const waiting = expect(second.take(32 * MIB)).rejects.toMatchObject({ code: 'overloaded' })
    second.release()
    await waiting
    expect(budget.state.waiting).toBe(0)
  })

  it('goes before a namespace that has more', async () => {
    const { budget } = setUp()
    const [greedy] = takeAll(budget, principal('greedy'), 1, 20) as [BodyBytes]
    const [modest] = takeAll(budget, principal('modest'), 1, 2) as [BodyBytes]
    const others = ['a', 'b', 'c'].flatMap(group => takeAll(budget, principal(group), 1, 80))
    const order: string[] = []
    const waits = [greedy.take(40 * MIB).then(() => order.push('greedy')), modest.take(40 * MIB).then(() => order.push('modest'))]
    expect(budget.state.waiting).toBe(2)
    others.forEach(body => body.release())
    await Promise.all(waits)
    expect(order).toEqual(['modest', 'greedy'])
  })

  it('is not refused in the same moment as the others that began to wait with it', async () => {
    const { budget, time } = setUp()
    const [, second] = takeAll(budget, principal('a'), 2, 80) as [BodyBytes, BodyBytes]
    const waits = Promise.allSettled(Array.from({ length: 100 }, () => second.take(32 * MIB)))
    time.pass(MAX_WAIT_MS)
    expect(budget.state.waiting).toBe(99)
    time.pass(10 * STAGGER_MS)
    expect(budget.state.waiting).toBe(89)
    time.pass(100 * STAGGER_MS)
    expect((await waits).every(({ status }) => status === 'rejected')).toBe(true)
  })

  it('stays with the share of its caller when others of it end', () => {
    const { budget } = setUp()
    const first = budget.open(principal('a'))
    budget.open(principal('a')).release()
    const last = budget.open(principal('a'))
    expect(last.level).toBe(first.level)
    first.release()
    last.release()
    expect(budget.open(principal('a')).level).not.toBe(first.level)
  })

  it('costs nothing when it goes without having held anything, however many others wait', () => {
    const { budget } = setUp()
    takeAll(budget, anonymous('192.0.2.1'), 1, 2)
    const held = Array.from({ length: 1_000 }, (_, i) => openBody(budget, anonymous(`held ${i}`)))
    const late = Array.from({ length: 6_000 }, (_, i) => budget.open(anonymous(`late ${i}`)))
    const waits = Promise.allSettled(late.map(body => body.take(OPEN_BODY_BYTES)))
    expect(budget.state.waiting).toBeGreaterThan(5_000)
    // Looking at all of the others for each takes more than a second of CPU.
    expect(cpuMs(() => late.forEach(body => body.release()))).toBeLessThan(800)
    held.forEach(body => body.release())
    return waits
  })
})
