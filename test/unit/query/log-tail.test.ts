import { beforeEach, describe, expect, it } from '@jest/globals'
import { seededRandom } from '../../../bench/generate/random.js'
import type { Filter } from '../../../src/domain/filter.js'
import { DEFAULT_RETENTION, type Namespace } from '../../../src/domain/namespace.js'
import type { IngestId, NamespaceId } from '../../../src/domain/ids.js'
import { recordId } from '../../../src/domain/ids.js'
import { GatewayError } from '../../../src/domain/errors.js'
import type { StoredLog } from '../../../src/domain/records/log.js'
import type { SearchRequest, SearchResult } from '../../../src/domain/search.js'
import { DEFAULT_STORAGE } from '../../../src/domain/storage-plan.js'
import { createUlidSource } from '../../../src/domain/ulid.js'
import { LogTail, type TailDelivery } from '../../../src/query/log-tail/log-tail.js'
import { MAX_BACKLOG_ROWS, MAX_CURSOR_CHARS } from '../../../src/query/log-tail/limits.js'
import { TailCursors } from '../../../src/query/log-tail/tail-cursor.js'
import { TailReads } from '../../../src/query/log-tail/tail-reads.js'
import { EMPTY_LOG } from '../../support/empty-log.js'
import { ManualTime } from '../../support/manual-time.js'

const NS: Namespace = {
  id: 'nstailunittest' as NamespaceId,
  name: 'shop',
  kind: 'team',
  state: 'active',
  retention: DEFAULT_RETENTION,
  storage: DEFAULT_STORAGE.team,
  createdAtMs: 0
}
const EVERY_MS = 250

/** Logs in memory; a record is visible when it was added. */
class Rows {
  readonly all: StoredLog[] = []
  failures = 0
  searches = 0

  async search(_ns: NamespaceId, { filter, rows, total }: SearchRequest): Promise<SearchResult<StoredLog>> {
    this.searches++
    if (this.failures > 0) {
      this.failures--
      throw new GatewayError('store_unavailable', 'the store does not respond')
    }
    const { gte = '', lt = '~' } = arrivalOf(filter)
    const found = this.all.filter(({ id }) => id >= gte && id < lt).sort(compare)
    const after = rows?.after
    const rest = after ? found.filter(row => compare(row, { ...row, ...after }) > 0) : found
    return {
      complete: true,
      warnings: [],
      ...(rows && { rows: rest.slice(0, rows.limit), hasMore: rest.length > rows.limit }),
      ...(total && { total: { value: found.length, relation: 'eq' } })
    }
  }
}

function compare(a: StoredLog, b: StoredLog): number {
  if (a.timestampNs !== b.timestampNs) return a.timestampNs < b.timestampNs ? -1 : 1
  return a.id < b.id ? -1 : Number(a.id > b.id)
}

function arrivalOf(filter: Filter): { gte?: string; lt?: string } {
  const parts = filter.kind === 'and' ? filter.of : [filter]
  return parts.find(part => part.kind === 'range' && part.field.name === 'ingest_id') as { gte?: string; lt?: string }
}

let time: ManualTime
let store: Rows
let tail: LogTail
let newId: () => IngestId

beforeEach(() => {
  time = new ManualTime()
  store = new Rows()
  const reads = new TailReads(time, time)
  tail = new LogTail({ logs: store, clock: time, timers: time, reads, cursors: new TailCursors('x'.repeat(32)) })
  newId = createUlidSource(
    () => time.nowMs(),
    size => new Uint8Array(size).fill(7)
  )
})

function row(message: string, { id = newId(), index = 0, atNs = time.nowNs() } = {}): StoredLog {
  return { ...EMPTY_LOG, id: recordId(id, index), ingestedAtMs: time.nowMs(), timestampNs: atNs, message }
}

function follow(after?: string, max = 200): AsyncGenerator<TailDelivery, void> {
  return tail.open(
    NS,
    { conditions: {}, everyMs: EVERY_MS, max, ...(after === undefined ? {} : { after }) },
    new AbortController().signal
  )
}

/** The next delivery, time going on in the tail's own steps. */
async function next(from: AsyncGenerator<TailDelivery, void>): Promise<TailDelivery> {
  const got = from.next().then(({ value }) => value as TailDelivery)
  for (let steps = 0; steps < 2_000; steps++) {
    const result = await Promise.race([got, new Promise<null>(resolve => setImmediate(resolve, null))])
    if (result !== null) return result
    time.pass(EVERY_MS)
  }
  throw new Error('no delivery')
}

async function messages(from: AsyncGenerator<TailDelivery, void>): Promise<readonly string[]> {
  return (await next(from)).rows.map(({ message }) => message)
}

describe('a live tail', () => {
  it('delivers each record once, whatever its event time and order', async () => {
    const following = follow()
    store.all.push(row('a'), row('b', { atNs: 1n }))
    expect(await messages(following)).toEqual(['b', 'a'])
    store.all.push(row('early', { atNs: 0n }), row('same', { atNs: 5n }), row('same', { atNs: 5n }))
    expect(await messages(following)).toEqual(['early', 'same', 'same'])
    expect(await messages(following)).toEqual([])
  })

  it('finds records that become searchable a minute after they arrived', async () => {
    const following = follow()
    const spooled = row('spooled')
    store.all.push(row('a'))
    expect(await messages(following)).toEqual(['a'])
    time.pass(40_000)
    store.all.push(row('b'))
    expect(await messages(following)).toEqual(['b'])
    store.all.push(spooled)
    expect(await messages(following)).toEqual(['spooled'])
    expect(await messages(following)).toEqual([])
  })

  it('delivers a backlog in parts, in order', async () => {
    const following = follow(undefined, 2)
    for (let i = 0; i < 5; i++) store.all.push(row(`m${i}`, { atNs: BigInt(i) }))
    expect(await messages(following)).toEqual(['m0', 'm1'])
    expect(await messages(following)).toEqual(['m2', 'm3'])
    expect(await messages(following)).toEqual(['m4'])
  })

  it('drops a backlog over its limit and reports how many records that is', async () => {
    const following = follow(undefined, 100)
    const sent = MAX_BACKLOG_ROWS + 5_000
    const id = newId()
    for (let index = 0; index < sent; index++) store.all.push(row('m', { id, index }))
    let rows = 0
    let dropped = 0
    while (rows + dropped < sent) {
      const delivery = await next(following)
      rows += delivery.rows.length
      dropped += delivery.dropped
    }
    expect(rows + dropped).toBe(sent)
    expect(dropped).toBeGreaterThan(MAX_BACKLOG_ROWS)
    store.all.push(row('after'))
    const last = await next(following)
    expect([last.rows.map(({ message }) => message), last.dropped]).toEqual([['after'], 0])
  })

  it('keeps a backlog at its limit', async () => {
    const following = follow(undefined, 1_000)
    const id = newId()
    for (let index = 0; index < MAX_BACKLOG_ROWS; index++) store.all.push(row('m', { id, index }))
    let rows = 0
    while (rows < MAX_BACKLOG_ROWS) {
      const delivery = await next(following)
      expect(delivery.dropped).toBe(0)
      rows += delivery.rows.length
    }
    expect(rows).toBe(MAX_BACKLOG_ROWS)
  })

  it('repeats a read that fails, and loses nothing by it', async () => {
    const following = follow()
    store.all.push(row('a'))
    store.failures = 3
    expect(await messages(following)).toEqual(['a'])
  })

  it('fails when the store stays away', async () => {
    const following = follow()
    store.failures = 100
    await expect(next(following)).rejects.toMatchObject({ code: 'store_unavailable' })
  })

  it('reads nothing while its consumer does not', async () => {
    const following = follow()
    store.all.push(row('a'))
    await next(following)
    const before = store.searches
    time.pass(600_000)
    await new Promise(setImmediate)
    expect(store.searches).toBe(before)
  })

  it('resumes by cursor in the middle of a backlog', async () => {
    const following = follow(undefined, 2)
    for (let i = 0; i < 5; i++) store.all.push(row(`m${i}`, { atNs: BigInt(i) }))
    const { cursor } = await next(following)
    const resumed = follow(cursor, 2)
    expect(await messages(resumed)).toEqual(['m2', 'm3'])
    expect(await messages(resumed)).toEqual(['m4'])
    expect(await messages(resumed)).toEqual([])
  })

  it('resumes by cursor after a long time without a gap', async () => {
    const following = follow()
    store.all.push(row('a'))
    const { cursor } = await next(following)
    for (let i = 0; i < 3; i++) {
      time.pass(30_000)
      store.all.push(row(`m${i}`))
    }
    expect(await messages(follow(cursor))).toEqual(['m0', 'm1', 'm2'])
  })

  it('counts records of a dropped backlog that become searchable after it was dropped', async () => {
    const following = follow(undefined, 1_000)
    const id = newId()
    const late = [row('late', { id: newId() }), row('late', { id: newId() })]
    for (let index = 0; index < 2 * MAX_BACKLOG_ROWS; index++) store.all.push(row('m', { id, index }))
    let [rows, dropped] = [0, 0]
    while (dropped === 0) {
      const delivery = await next(following)
      rows += delivery.rows.length
      dropped += delivery.dropped
    }
    store.all.push(...late)
    // Without records, a delivery comes every five seconds.
    for (let deliveries = 0; deliveries < 3; deliveries++) {
      const delivery = await next(following)
      expect(delivery.rows).toEqual([])
      dropped += delivery.dropped
    }
    expect(rows + dropped).toBe(store.all.length)
  })

  it.each([false, true])('counts what becomes searchable behind the place where it resumes, twice: %s', async twice => {
    const following = follow()
    const late = [row('late', { id: newId() }), row('late', { id: newId() })]
    store.all.push(row('a'))
    expect(await messages(following)).toEqual(['a'])
    time.pass(20_000)
    store.all.push(row('b'))
    let { cursor } = await next(following)
    if (twice) ({ cursor } = await next(follow(cursor)))
    store.all.push(...late)
    const resumed = follow(cursor)
    let dropped = 0
    for (let deliveries = 0; deliveries < 4; deliveries++) {
      const delivery = await next(resumed)
      expect(delivery.rows.map(({ message }) => message)).not.toContain('late')
      dropped += delivery.dropped
    }
    expect(dropped).toBe(late.length)
  })

  it('counts a dropped backlog once more when it resumed in between', async () => {
    const following = follow(undefined, 1_000)
    const id = newId()
    const late = [row('late', { id: newId() }), row('late', { id: newId() })]
    for (let index = 0; index < 2 * MAX_BACKLOG_ROWS; index++) store.all.push(row('m', { id, index }))
    const taken: TailDelivery[] = []
    while (taken.every(({ dropped }) => dropped === 0)) taken.push(await next(following))
    store.all.push(...late)
    const resumed = follow(taken.at(-1)!.cursor, 1_000)
    for (let deliveries = 0; deliveries < 4; deliveries++) taken.push(await next(resumed))
    expect(taken.reduce((sum, { rows, dropped }) => sum + rows.length + dropped, 0)).toBe(store.all.length)
  })

  it('has a cursor that is accepted, however often it resumes at once', async () => {
    let following = follow()
    for (let resumes = 0; resumes < 50; resumes++) {
      time.pass(4_000)
      store.all.push(row('a'))
      following = follow((await next(following)).cursor)
    }
    expect((await next(following)).cursor.length).toBeLessThan(MAX_CURSOR_CHARS)
  })

  it('counts nothing as dropped that it delivered before it resumed', async () => {
    const delivered = new Set<string>()
    let dropped = 0
    const take = async (from: AsyncGenerator<TailDelivery, void>): Promise<TailDelivery> => {
      const delivery = await next(from)
      for (const { id } of delivery.rows) delivered.add(id)
      dropped += delivery.dropped
      return delivery
    }
    const send = (count: number): void => {
      const id = newId()
      for (let index = 0; index < count; index++) store.all.push(row('m', { id, index }))
    }
    const following = follow(undefined, 1_000)
    send(MAX_BACKLOG_ROWS)
    let cursor = ''
    while (delivered.size < 3_000) ({ cursor } = await take(following))
    time.pass(500)
    send(MAX_BACKLOG_ROWS + 3_000)
    time.pass(4_000)
    send(1)
    const resumed = follow(cursor, 1_000)
    while ((await take(resumed)).rows.length > 0);
    expect(dropped).toBeGreaterThan(MAX_BACKLOG_ROWS)
    expect(delivered.size + dropped).toBe(store.all.length)
  })

  it.each([1, 2])('delivers or drops each record once however often it resumes, seed %i', async seed => {
    const random = seededRandom(seed)
    const delivered = new Set<string>()
    let [sent, dropped] = [0, 0]
    let cursor: string | undefined
    let following = follow(cursor, 1_000)
    const send = (): void => {
      const id = newId()
      const count = random.below(2_000)
      for (let index = 0; index < count; index++) store.all.push(row('m', { id, index, atNs: BigInt(random.below(1_000_000)) }))
      sent += count
    }
    const take = async (): Promise<number> => {
      const delivery = await next(following)
      for (const { id } of delivery.rows) delivered.add(id)
      dropped += delivery.dropped
      ;({ cursor } = delivery)
      return delivery.rows.length
    }
    send()
    for (let step = 0; step < 4; step++) {
      await take()
      send()
      if (random.below(3) === 0) following = follow(cursor, 1_000)
      time.pass(random.below(3_000))
      send()
    }
    while ((await take()) > 0);
    expect(delivered.size + dropped).toBe(sent)
  })

  it.each(['', 'AAAA', 'x'.repeat(8_193)])('refuses a cursor that it did not issue: %.10s', after => {
    expect(() => follow(after)).toThrow(expect.objectContaining({ code: 'invalid_field' }))
  })
})
