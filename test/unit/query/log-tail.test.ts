import { beforeEach, describe, expect, it } from '@jest/globals'
import { MAX_BACKLOG_ROWS } from '../../../src/query/log-tail/limits.js'
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
    const sent = MAX_BACKLOG_ROWS + 5_000
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
    expect(dropped).toBeGreaterThan(MAX_BACKLOG_ROWS)
    logs.store.all.push(logs.row('after'))
    const last = await logs.next(following)
    expect([last.rows.map(({ message }) => message), last.dropped]).toEqual([['after'], 0])
  })

  it('keeps a backlog at its limit', async () => {
    const following = logs.follow(undefined, 1_000)
    const id = logs.newId()
    for (let index = 0; index < MAX_BACKLOG_ROWS; index++) logs.store.all.push(logs.row('m', { id, index }))
    let rows = 0
    while (rows < MAX_BACKLOG_ROWS) {
      const delivery = await logs.next(following)
      expect(delivery.dropped).toBe(0)
      rows += delivery.rows.length
    }
    expect(rows).toBe(MAX_BACKLOG_ROWS)
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
    for (let index = 0; index < 2 * MAX_BACKLOG_ROWS; index++) logs.store.all.push(logs.row('m', { id, index }))
    let [rows, dropped] = [0, 0]
    while (dropped === 0) {
      const delivery = await logs.next(following)
      rows += delivery.rows.length
      dropped += delivery.dropped
    }
    logs.store.all.push(...late)
    // Without records, a delivery comes every five seconds.
    for (let deliveries = 0; deliveries < 3; deliveries++) {
      const delivery = await logs.next(following)
      expect(delivery.rows).toEqual([])
      dropped += delivery.dropped
    }
    expect(rows + dropped).toBe(logs.store.all.length)
  })
})
