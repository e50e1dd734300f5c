import { beforeEach, describe, expect, it } from '@jest/globals'
import { seededRandom } from '../../../bench/generate/random.js'
import { LATE_MS, MAX_CURSOR_CHARS, TAIL_BOUNDS } from '../../../src/query/log-tail/limits.js'
import type { TailDelivery } from '../../../src/query/log-tail/log-tail.js'
import { FollowedLogs } from '../../support/followed-logs.js'

let logs: FollowedLogs
beforeEach(() => {
  logs = new FollowedLogs()
})

describe('a live tail that resumes', () => {
  it('resumes by cursor in the middle of a backlog', async () => {
    const following = logs.follow(undefined, 2)
    for (let i = 0; i < 5; i++) logs.store.all.push(logs.row(`m${i}`, { atNs: BigInt(i) }))
    const { cursor } = await logs.next(following)
    const resumed = logs.follow(cursor, 2)
    expect(await logs.messages(resumed)).toEqual(['m2', 'm3'])
    expect(await logs.messages(resumed)).toEqual(['m4'])
    expect(await logs.messages(resumed)).toEqual([])
  })

  it('repeats nothing when it resumes again before it has found what was delivered', async () => {
    const following = logs.follow()
    for (let i = 0; i < 3; i++) logs.store.all.push(logs.row(`m${i}`, { atNs: BigInt(10 + i) }))
    const first = await logs.next(following)
    expect(first.rows).toHaveLength(3)
    logs.time.pass(1_000)
    for (let i = 0; i < 2; i++) logs.store.all.push(logs.row(`n${i}`, { atNs: BigInt(i) }))
    const second = await logs.next(logs.follow(first.cursor, 1))
    const third = await logs.next(logs.follow(second.cursor, 1))
    expect([...second.rows, ...third.rows].map(({ message }) => message)).toEqual(['n0', 'n1'])
    expect(await logs.messages(logs.follow(third.cursor))).toEqual([])
  })

  it('resumes by cursor after a long time without a gap', async () => {
    const following = logs.follow()
    logs.store.all.push(logs.row('a'))
    const { cursor } = await logs.next(following)
    for (let i = 0; i < 3; i++) {
      logs.time.pass(30_000)
      logs.store.all.push(logs.row(`m${i}`))
    }
    expect(await logs.messages(logs.follow(cursor))).toEqual(['m0', 'm1', 'm2'])
  })

  it.each([false, true])('counts what becomes searchable behind the place where it resumes, twice: %s', async twice => {
    const following = logs.follow()
    const late = [logs.row('late', { id: logs.newId() }), logs.row('late', { id: logs.newId() })]
    logs.store.all.push(logs.row('a'))
    expect(await logs.messages(following)).toEqual(['a'])
    logs.time.pass(20_000)
    logs.store.all.push(logs.row('b'))
    let { cursor } = await logs.next(following)
    if (twice) ({ cursor } = await logs.next(logs.follow(cursor)))
    logs.store.all.push(...late)
    const resumed = logs.follow(cursor)
    let dropped = 0
    for (let deliveries = 0; deliveries < 4; deliveries++) {
      logs.time.pass(LATE_MS)
      const delivery = await logs.next(resumed)
      expect(delivery.rows.map(({ message }) => message)).not.toContain('late')
      dropped += delivery.dropped
    }
    expect(dropped).toBe(late.length)
  })

  it('counts a dropped backlog once more when it resumed in between', async () => {
    const following = logs.follow(undefined, 1_000)
    const id = logs.newId()
    const late = [logs.row('late', { id: logs.newId() }), logs.row('late', { id: logs.newId() })]
    for (let index = 0; index < 2 * TAIL_BOUNDS.backlog; index++) logs.store.all.push(logs.row('m', { id, index }))
    const taken: TailDelivery[] = []
    while (taken.every(({ dropped }) => dropped === 0)) taken.push(await logs.next(following))
    logs.store.all.push(...late)
    const resumed = logs.follow(taken.at(-1)!.cursor, 1_000)
    for (let deliveries = 0; deliveries < 4; deliveries++) {
      logs.time.pass(LATE_MS)
      taken.push(await logs.next(resumed))
    }
    expect(taken.reduce((sum, { rows, dropped }) => sum + rows.length + dropped, 0)).toBe(logs.store.all.length)
  })

  it('has a cursor that is accepted, however often it resumes at once', async () => {
    let following = logs.follow()
    for (let resumes = 0; resumes < 50; resumes++) {
      logs.time.pass(4_000)
      logs.store.all.push(logs.row('a'))
      following = logs.follow((await logs.next(following)).cursor)
    }
    expect((await logs.next(following)).cursor.length).toBeLessThan(MAX_CURSOR_CHARS)
  })

  it('counts nothing as dropped that it delivered before it resumed', async () => {
    const delivered = new Set<string>()
    let dropped = 0
    const take = async (from: AsyncGenerator<TailDelivery, void>): Promise<TailDelivery> => {
      const delivery = await logs.next(from)
      for (const { id } of delivery.rows) delivered.add(id)
      dropped += delivery.dropped
      return delivery
    }
    const send = (count: number): void => {
      const id = logs.newId()
      for (let index = 0; index < count; index++) logs.store.all.push(logs.row('m', { id, index }))
    }
    const following = logs.follow(undefined, 1_000)
    send(TAIL_BOUNDS.backlog)
    let cursor = ''
    while (delivered.size < 3_000) ({ cursor } = await take(following))
    logs.time.pass(500)
    send(TAIL_BOUNDS.backlog + 3_000)
    logs.time.pass(4_000)
    send(1)
    const resumed = logs.follow(cursor, 1_000)
    while ((await take(resumed)).rows.length > 0);
    expect(dropped).toBeGreaterThan(TAIL_BOUNDS.backlog)
    expect(delivered.size + dropped).toBe(logs.store.all.length)
  })

  it.each([1, 2])('delivers or drops each record once however often it resumes, seed %i', async seed => {
    const random = seededRandom(seed)
    const delivered = new Set<string>()
    let [sent, dropped] = [0, 0]
    let cursor: string | undefined
    let following = logs.follow(cursor, 1_000)
    const send = (): void => {
      const id = logs.newId()
      const count = random.below(2_000)
      for (let index = 0; index < count; index++)
        logs.store.all.push(logs.row('m', { id, index, atNs: BigInt(random.below(1_000_000)) }))
      sent += count
    }
    const take = async (): Promise<number> => {
      const delivery = await logs.next(following)
      for (const { id } of delivery.rows) delivered.add(id)
      dropped += delivery.dropped
      ;({ cursor } = delivery)
      return delivery.rows.length
    }
    send()
    for (let step = 0; step < 4; step++) {
      await take()
      send()
      if (random.below(3) === 0) following = logs.follow(cursor, 1_000)
      logs.time.pass(random.below(3_000))
      send()
    }
    while ((await take()) > 0);
    expect(delivered.size + dropped).toBe(sent)
  })

  it.each(['', 'AAAA', 'x'.repeat(8_193)])('refuses a cursor that it did not issue: %.10s', after => {
    expect(() => logs.follow(after)).toThrow(expect.objectContaining({ code: 'invalid_field' }))
  })
})
