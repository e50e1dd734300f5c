import { describe, expect, it } from '@jest/globals'
import type { NamespaceId } from '../../../../src/domain/ids.js'
import type { LogPattern, PatternMerge } from '../../../../src/domain/log-pattern.js'
import type { LogRecord } from '../../../../src/domain/records/log.js'
import { FairScheduler } from '../../../../src/ingest/fair-scheduler.js'
import { MAX_PATTERNS, MAX_PATTERNS_IN_MEMORY } from '../../../../src/ingest/patterns/limits.js'
import { CATALOG_WAIT_MS, PatternKeeper, PAUSE_MS } from '../../../../src/ingest/patterns/pattern-keeper.js'
import type { CatalogPattern } from '../../../../src/ports/pattern-catalog.js'
import { EMPTY_LOG } from '../../../support/empty-log.js'
import { ManualTime } from '../../../support/manual-time.js'

const NS = 'shop' as NamespaceId
const NAMES = ['anna', 'bert', 'carl', 'dora', 'emil', 'frida']

type Added = Pick<CatalogPattern, 'id' | 'tokens' | 'kinds' | 'firstSeenMs'>

/** A catalogue in memory, whose writes wait or fail on demand. */
class MemoryCatalog {
  readonly patterns = new Map<string, Added[]>()
  readonly merges = new Map<string, PatternMerge[]>()
  adds = 0
  loads = 0
  gate: Promise<void> = Promise.resolve()
  loadGate: Promise<void> = Promise.resolve()

  async add(ns: NamespaceId, patterns: readonly Added[], merges: readonly PatternMerge[]): Promise<void> {
    this.adds++
    await this.gate
    this.patterns.set(ns, [...(this.patterns.get(ns) ?? []), ...patterns])
    this.merges.set(ns, [...(this.merges.get(ns) ?? []), ...merges])
  }

  async all(ns: NamespaceId): Promise<{ patterns: CatalogPattern[]; merges: PatternMerge[] }> {
    this.loads++
    await this.loadGate
    const patterns = (this.patterns.get(ns) ?? []).map(pattern => ({ ...pattern, note: null, muted: false }))
    return { patterns, merges: this.merges.get(ns) ?? [] }
  }

  async decide(): Promise<boolean> {
    return false
  }
}

function open(catalog = new MemoryCatalog()) {
  const errors: unknown[] = []
  const time = new ManualTime()
  const keeper = new PatternKeeper({
    catalog,
    scheduler: new FairScheduler(1e9),
    clock: time,
    timers: time,
    seed: 1,
    onError: error => errors.push(error)
  })
  return { catalog, keeper, errors, time }
}

const logs = (...messages: string[]): LogRecord[] =>
  messages.map((message, index) => ({ ...EMPTY_LOG, index, message, timestampNs: BigInt(1000 + index) * 1_000_000n }))

function idsIn(catalog: MemoryCatalog): Set<string> {
  return new Set((catalog.patterns.get(NS) ?? []).map(({ id }: LogPattern) => id))
}

describe('patterns of logs that are stored', () => {
  it('are in the catalogue, with the event time of their first log, when they are assigned', async () => {
    const { catalog, keeper } = open()
    const batch = logs('cache is full', 'cache is full', 'disk is full', '')
    await keeper.assign(NS, batch)
    expect(batch[0]!.patternId).toBe(batch[1]!.patternId)
    expect(batch[3]!.patternId).toBeNull()
    expect(catalog.patterns.get(NS)!.map(({ id, firstSeenMs }) => [id, firstSeenMs])).toEqual([
      [batch[0]!.patternId, 1000],
      [batch[2]!.patternId, 1002]
    ])
  })

  it('cost no write once they are known', async () => {
    const { catalog, keeper } = open()
    await keeper.assign(NS, logs('took 5 ms'))
    await keeper.assign(NS, logs('took 6 ms'))
    expect(catalog.adds).toBe(1)
  })

  it('are assigned to no log before they are written, also by a request that found nothing new', async () => {
    const { catalog, keeper } = open()
    await keeper.assign(NS, logs('first of all'))
    let resolve = (): void => undefined
    catalog.gate = new Promise<void>(opened => {
      resolve = opened
    })
    const done: string[] = []
    const first = keeper.assign(NS, logs('cache is full')).then(() => done.push('first'))
    const second = keeper.assign(NS, logs('cache is full')).then(() => done.push('second'))
    await new Promise<void>(next => setImmediate(next))
    expect([catalog.adds, done]).toEqual([2, []])
    resolve()
    await Promise.all([first, second])
    expect(catalog.adds).toBe(2)
  })

  it('are left out while the catalogue cannot be written, and found again afterwards', async () => {
    const { catalog, keeper, errors, time } = open()
    catalog.gate = Promise.reject(new Error('no database'))
    const [lost] = logs('cache is full')
    await keeper.assign(NS, [lost!])
    expect(lost!.patternId).toBeNull()
    expect(errors).toEqual([new Error('no database')])
    expect(keeper.counts.unassigned).toBe(1)
    catalog.gate = Promise.resolve()
    time.pass(PAUSE_MS)
    const [kept] = logs('cache is full')
    await keeper.assign(NS, [kept!])
    expect(idsIn(catalog)).toEqual(new Set([kept!.patternId]))
  })

  it('do not delay logs while the catalogue does not respond', async () => {
    const { catalog, keeper, errors, time } = open()
    catalog.loadGate = new Promise(() => undefined)
    const [late] = logs('cache is full')
    const assigned = keeper.assign(NS, [late!])
    await time.dueIn(CATALOG_WAIT_MS)
    time.pass(CATALOG_WAIT_MS)
    await assigned
    expect(late!.patternId).toBeNull()
    expect(errors).toMatchObject([{ code: 'store_unavailable' }])
    catalog.loadGate = Promise.resolve()
    time.pass(PAUSE_MS - 1)
    const [paused] = logs('cache is full')
    await keeper.assign(NS, [paused!])
    expect([paused!.patternId, catalog.loads, keeper.counts.unassigned]).toEqual([null, 1, 2])
    const [other] = logs('cache is full')
    await keeper.assign('other' as NamespaceId, [other!])
    expect(other!.patternId).not.toBeNull()
    time.pass(1)
    const [kept] = logs('cache is full')
    await keeper.assign(NS, [kept!])
    expect(idsIn(catalog)).toEqual(new Set([kept!.patternId]))
    expect(errors.length).toBe(1)
  })

  it('are the same after a restart, merges included', async () => {
    const { catalog, keeper } = open()
    await keeper.assign(NS, logs(...NAMES.map(name => `user ${name} logged in`)))
    const again = open(catalog)
    const [log] = logs('user zora logged in')
    await again.keeper.assign(NS, [log!])
    expect(idsIn(catalog).has(log!.patternId!)).toBe(true)
    expect(catalog.adds).toBe(1)
    expect(catalog.merges.get(NS)!.map(({ into }) => into)).toContain(log!.patternId)
  })

  it('count what a namespace has in memory besides its templates', async () => {
    const { keeper } = open()
    const letters = (n: number): string => [...String(n)].map(digit => 'ghijklmnop'[Number(digit)]!).join('')
    await keeper.assign(NS, logs(...Array.from({ length: 4_000 }, (_, i) => `user ${letters(i)} logged in`)))
    const one = keeper.weight
    expect(keeper.counts.patterns).toBeLessThan(10)
    expect(one).toBeGreaterThan(4_000 / 16)
    await keeper.assign('other' as NamespaceId, logs('cache is full'))
    expect(keeper.weight - one).toBeGreaterThan(1)
  })

  it('leave memory with the namespace that was used longest ago', async () => {
    const { catalog, keeper } = open()
    const count = MAX_PATTERNS_IN_MEMORY / MAX_PATTERNS
    const words = (n: number): string => [...String(n)].map(digit => 'abcdefghij'[Number(digit)]!).join('')
    const many = Array.from({ length: MAX_PATTERNS }, (_, i) => `${words(i)} x`)
    let load = (): void => undefined
    catalog.loadGate = new Promise<void>(opened => {
      load = opened
    })
    const late = keeper.assign('late' as NamespaceId, logs('a x'))
    catalog.loadGate = Promise.resolve()
    for (let n = 0; n <= count; n++) await keeper.assign(`ns${n}` as NamespaceId, logs(...many))
    const { patterns } = keeper.counts
    expect(patterns).toBeLessThanOrEqual(MAX_PATTERNS_IN_MEMORY)
    load()
    await late
    // It left memory while its catalogue was read.
    expect(keeper.counts.patterns).toBe(patterns)
    const { loads } = catalog
    await keeper.assign(`ns${count}` as NamespaceId, logs('a x'))
    expect(catalog.loads).toBe(loads)
    await keeper.assign('ns0' as NamespaceId, logs('a x'))
    expect(catalog.loads).toBe(loads + 1)
  })
})
