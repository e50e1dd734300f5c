import { beforeEach, describe, expect, it } from '@jest/globals'
import { LATE_MS, TAIL_BOUNDS } from '../../../src/query/log-tail/limits.js'
import type { TailDelivery } from '../../../src/query/log-tail/log-tail.js'
import { FollowedLogs } from '../../support/followed-logs.js'

let logs: FollowedLogs
beforeEach(() => {
  logs = new FollowedLogs()
})

describe('a live tail', () => {
  it('delivers each record once, whatever its event time and order', async () => {
    const following = logs.follow()
    logs.store.all.push(logs.row('a'), logs.row('b', { atNs: 1n }))
    expect(await logs.messages(following)).toEqual(['b', 'a'])
    logs.store.all.push(logs.row('early', { atNs: 0n }), logs.row('same', { atNs: 5n }), logs.row('same', { atNs: 5n }))
    expect(await logs.messages(following)).toEqual(['early', 'same', 'same'])
    expect(await logs.messages(following)).toEqual([])
  })

  it('finds records that become searchable a minute after they arrived', async () => {
    const following = logs.follow()
    const spooled = logs.row('spooled')
    logs.store.all.push(logs.row('a'))
    expect(await logs.messages(following)).toEqual(['a'])
    logs.time.pass(40_000)
    logs.store.all.push(logs.row('b'))
    expect(await logs.messages(following)).toEqual(['b'])
    logs.store.all.push(spooled)
    expect(await logs.messages(following)).toEqual(['spooled'])
    expect(await logs.messages(following)).toEqual([])
  })

  it('delivers a backlog in parts, in order', async () => {
    const following = logs.follow(undefined, 2)
    for (let i = 0; i < 5; i++) logs.store.all.push(logs.row(`m${i}`, { atNs: BigInt(i) }))
    expect(await logs.messages(following)).toEqual(['m0', 'm1'])
    expect(await logs.messages(following)).toEqual(['m2', 'm3'])
    expect(await logs.messages(following)).toEqual(['m4'])
  })

  it('drops a backlog over its limit and reports how many records that is', async () => {
    const following = logs.follow(undefined, 100)
    const sent = TAIL_BOUNDS.backlog + 5_000
    const id = logs.newId()
    for (let index = 0; index < sent; index++) logs.store.all.push(logs.row('m', { id, index }))
    let rows = 0
    let dropped = 0
    while (rows + dropped < sent) {
      const delivery = await logs.next(following)
      rows += delivery.rows.length
      dropped += delivery.dropped
    }
    expect(rows + dropped).toBe(sent)
    expect(dropped).toBeGreaterThan(TAIL_BOUNDS.backlog)
    logs.store.all.push(logs.row('after'))
    const last = await logs.next(following)
    expect([last.rows.map(({ message }) => message), last.dropped]).toEqual([['after'], 0])
  })

  it('keeps a backlog at its limit', async () => {
    const following = logs.follow(undefined, 1_000)
    const id = logs.newId()
    for (let index = 0; index < TAIL_BOUNDS.backlog; index++) logs.store.all.push(logs.row('m', { id, index }))
    let rows = 0
    while (rows < TAIL_BOUNDS.backlog) {
      const delivery = await logs.next(following)
      expect(delivery.dropped).toBe(0)
      rows += delivery.rows.length
    }
    expect(rows).toBe(TAIL_BOUNDS.backlog)
  })

  it('repeats a read that fails, and loses nothing by it', async () => {
    const following = logs.follow()
    logs.store.all.push(logs.row('a'))
    logs.store.failures = 3
    expect(await logs.messages(following)).toEqual(['a'])
  })

  it('fails when the store stays away', async () => {
    const following = logs.follow()
    logs.store.failures = 100
    await expect(logs.next(following)).rejects.toMatchObject({ code: 'store_unavailable' })
  })

  it('reads nothing while its consumer does not', async () => {
    const following = logs.follow()
    logs.store.all.push(logs.row('a'))
    await logs.next(following)
    const before = logs.store.searches
    logs.time.pass(600_000)
    await new Promise(setImmediate)
    expect(logs.store.searches).toBe(before)
  })

  it('counts records of a dropped backlog that become searchable after it was dropped', async () => {
    const following = logs.follow(undefined, 1_000)
    const id = logs.newId()
    const late = [logs.row('late', { id: logs.newId() }), logs.row('late', { id: logs.newId() })]
    for (let index = 0; index < 2 * TAIL_BOUNDS.backlog; index++) logs.store.all.push(logs.row('m', { id, index }))
    let [rows, dropped] = [0, 0]
    while (dropped === 0) {
      const delivery = await logs.next(following)
      rows += delivery.rows.length
      dropped += delivery.dropped
    }
    logs.store.all.push(...late)
    for (let deliveries = 0; deliveries < 3; deliveries++) {
      logs.time.pass(LATE_MS)
      const delivery = await logs.next(following)
      expect(delivery.rows).toEqual([])
      dropped += delivery.dropped
    }
    expect(rows + dropped).toBe(logs.store.all.length)
  })

  describe('delivers or counts as dropped every record', () => {
    /** Number of records that are delivered and dropped until all was counted once more. */
    const followed = async (following: AsyncGenerator<TailDelivery, void>): Promise<number> => {
      let sum = 0
      for (let recounts = 0; recounts < TAIL_BOUNDS.spans; recounts++) {
        const { rows, dropped } = await logs.next(following)
        sum += rows.length + dropped
        if (rows.length > 0) recounts = 0
        else logs.time.pass(LATE_MS)
      }
      return sum
    }
    const send = (count: number): void => {
      const id = logs.newId()
      for (let index = 0; index < count; index++) logs.store.all.push(logs.row('m', { id, index }))
    }

    it('when it arrived before a dropped backlog and becomes searchable with it', async () => {
      const following = logs.follow(undefined, 1_000)
      const late = [logs.row('late', { id: logs.newId() }), logs.row('late', { id: logs.newId() })]
      logs.store.all.push(logs.row('a'))
      expect(await logs.messages(following)).toEqual(['a'])
      logs.time.pass(3_000)
      logs.store.all.push(logs.row('b'))
      expect(await logs.messages(following)).toEqual(['b'])
      send(2 * TAIL_BOUNDS.backlog)
      const first = await logs.next(following)
      logs.store.all.push(...late)
      expect(2 + first.rows.length + first.dropped + (await followed(following))).toBe(logs.store.all.length)
    })

    it.each([LATE_MS / 4, LATE_MS - 1_000])('when it becomes searchable %i ms after a backlog was dropped', async afterMs => {
      const following = logs.follow(undefined, 1_000)
      const late = logs.row('late', { id: logs.newId() })
      send(2 * TAIL_BOUNDS.backlog)
      let sum = 0
      for (let dropped = 0; dropped === 0;) {
        const delivery = await logs.next(following)
        ;({ dropped } = delivery)
        sum += delivery.rows.length + dropped
      }
      logs.time.pass(afterMs)
      logs.store.all.push(late)
      expect(sum + (await followed(following))).toBe(logs.store.all.length)
    })

    it('when it is of a time that the tail no longer remembers', async () => {
      const following = logs.follow(undefined, 1_000)
      const late = logs.row('late', { id: logs.newId() })
      let sum = 0
      while (sum <= TAIL_BOUNDS.seen) {
        send(TAIL_BOUNDS.backlog / 2)
        logs.time.pass(100)
        for (let rows = 0; rows < TAIL_BOUNDS.backlog / 2;) {
          const delivery = await logs.next(following)
          rows += delivery.rows.length + delivery.dropped
          sum += delivery.rows.length + delivery.dropped
        }
      }
      logs.store.all.push(late)
      expect(sum + (await followed(following))).toBe(logs.store.all.length)
    })
  })
})
