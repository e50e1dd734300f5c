import { describe, expect, it } from '@jest/globals'
import type { NamespaceId } from '../../../../src/domain/ids.js'
import { OVERFLOW_ID } from '../../../../src/domain/log-pattern.js'
import { FairScheduler } from '../../../../src/ingest/fair-scheduler.js'
import { MAX_PATTERNS } from '../../../../src/ingest/patterns/limits.js'
import { PatternKeeper } from '../../../../src/ingest/patterns/pattern-keeper.js'
import { STEP_MS, StoredLogPatterns } from '../../../../src/ingest/patterns/stored-log-patterns.js'
import type { CatalogPattern } from '../../../../src/ports/pattern-catalog.js'
import type {
  AssignedPatterns,
  PartFault,
  PartPlace,
  UnassignedLog,
  UnassignedLogs,
  WrittenPatterns
} from '../../../../src/ports/unassigned-logs.js'
import { ManualTime } from '../../../support/manual-time.js'

const NS = 'shop' as NamespaceId
const MS = 1_000_000n
const FIRST: PartPlace = { part: 'a', after: -1 }
const NOTHING = {
  ...{ assigned: 0, hasOverflow: false, wordless: 0, missed: 0, refused: 0, refusal: null },
  ...{ next: null, fault: null }
}

type Added = Pick<CatalogPattern, 'id' | 'tokens' | 'kinds' | 'firstSeenMs'>

/** A catalogue that keeps the earlier of both first times, as the port states. */
class Catalog {
  readonly byId = new Map<string, CatalogPattern>()
  failure: Error | null = null

  async add(_ns: NamespaceId, patterns: readonly Added[]): Promise<void> {
    if (this.failure !== null) throw this.failure
    for (const pattern of patterns) {
      const firstSeenMs = Math.min(pattern.firstSeenMs, this.byId.get(pattern.id)?.firstSeenMs ?? Infinity)
      this.byId.set(pattern.id, { note: null, muted: false, ...pattern, firstSeenMs })
    }
  }

  async all(): Promise<{ patterns: CatalogPattern[]; merges: never[] }> {
    return { patterns: [...this.byId.values()], merges: [] }
  }

  async decide(): Promise<boolean> {
    return false
  }
}

interface Rewrite {
  readonly part: string
  readonly patterns: ReadonlyMap<number, string>
}

/** One part, in pages of so many logs. */
class OnePart implements UnassignedLogs {
  maxAssigned = 1_000_000
  /** Logs that were deleted since they were read. */
  missing = 0
  /** What a store did that stopped before the end. */
  stopped: Partial<WrittenPatterns> = {}
  readonly rewrites: Rewrite[] = []
  fault: PartFault | null = null
  onPage = (): void => undefined
  readonly #logs: readonly UnassignedLog[]
  readonly #pageRows: number

  constructor(messages: readonly string[], pageRows = 2) {
    this.#logs = messages.map((message, place) => ({ message, place, timestampNs: BigInt(1_000 - place) * MS }))
    this.#pageRows = pageRows
  }

  async parts(): Promise<readonly { part: string; logs: number }[]> {
    return [{ part: 'a', logs: this.#logs.length }]
  }

  async page(_ns: NamespaceId, { after }: PartPlace): Promise<readonly UnassignedLog[] | PartFault> {
    this.onPage()
    return this.fault ?? this.#logs.slice(after + 1, after + 1 + this.#pageRows)
  }

  async assign(_ns: NamespaceId, part: string, { places, of, ids }: AssignedPatterns): Promise<WrittenPatterns | PartFault> {
    if (this.fault !== null) return this.fault
    this.rewrites.push({ part, patterns: new Map(Array.from(places, (place, i) => [place, ids[of[i]!]!])) })
    const assigned = places.length - this.missing
    const whole = { assigned, missed: this.missing, refused: 0, refusal: null, isWhole: true }
    return { ...whole, next: { part: 'b', after: -1 }, ...this.stopped }
  }
}

function open(part: OnePart) {
  const catalog = new Catalog()
  const time = new ManualTime()
  const scheduler = new FairScheduler(0)
  const deps = { catalog, scheduler, clock: time, timers: time, seed: 1, onError: () => undefined }
  const patterns = new StoredLogPatterns({
    logs: { unassigned: part },
    keeper: new PatternKeeper(deps),
    catalog,
    clock: time
  })
  return { catalog, time, patterns }
}

/** A number as a word. */
function word(i: number): string {
  return [...String(i)].map(digit => 'abcdefghij'[Number(digit)]!).join('')
}

describe('patterns for stored logs', () => {
  it('are those that the logs would have if they arrived now', async () => {
    const part = new OnePart(['took 5 ms', 'disk is full', 'took 6 ms', '', 'disk is full'])
    const { catalog, patterns } = open(part)
    expect(await patterns.assign(NS, FIRST)).toEqual({ ...NOTHING, assigned: 4, wordless: 1 })
    const [{ patterns: given }] = part.rewrites as [Rewrite]
    expect([...given.keys()]).toEqual([0, 1, 2, 4])
    expect([given.get(0) === given.get(2), given.get(1) === given.get(4), given.get(0) === given.get(1)]).toEqual([
      true,
      true,
      false
    ])
    expect(new Set(catalog.byId.keys())).toEqual(new Set(given.values()))
  })

  it('were first seen with the earliest of these logs, before the store names them', async () => {
    const { catalog, patterns } = open(new OnePart(['took 5 ms', 'took 6 ms', 'took 7 ms']))
    await patterns.assign(NS, FIRST)
    expect([...catalog.byId.values()].map(({ firstSeenMs }) => firstSeenMs)).toEqual([998])
  })

  it('leave the first time of a pattern that was seen earlier', async () => {
    const { catalog, patterns } = open(new OnePart(['took 5 ms']))
    await patterns.assign(NS, FIRST)
    const [known] = [...catalog.byId.values()]
    catalog.byId.set(known!.id, { ...known!, firstSeenMs: 5 })
    await patterns.assign(NS, FIRST)
    expect(catalog.byId.get(known!.id)!.firstSeenMs).toBe(5)
  })

  it('end where no message has a word, without a rewrite', async () => {
    const part = new OnePart(['', ' ', '\n', '', ''])
    const { patterns } = open(part)
    expect(await patterns.assign(NS, FIRST)).toEqual({ ...NOTHING, wordless: 5 })
    expect(part.rewrites).toEqual([])
  })

  it('stop a step after its time, and go on where the store states', async () => {
    const part = new OnePart(['disk is full', 'disk is full', 'disk is full'])
    const { patterns, time } = open(part)
    part.onPage = () => time.pass(STEP_MS)
    expect(await patterns.assign(NS, FIRST)).toEqual({ ...NOTHING, assigned: 2, next: { part: 'b', after: -1 } })
    expect([...part.rewrites[0]!.patterns.keys()]).toEqual([0, 1])
  })

  it('stop a step in which no message has a word after its time, and go on behind it without a rewrite', async () => {
    const part = new OnePart(['', '', '', '', 'disk is full'])
    const { patterns, time } = open(part)
    part.onPage = () => time.pass(STEP_MS / 2)
    const { next, ...nothing } = await patterns.assign(NS, FIRST)
    expect([nothing, next]).toEqual([expect.objectContaining({ assigned: 0, wordless: 4, fault: null }), { part: 'a', after: 3 }])
    expect(part.rewrites).toEqual([])
    expect(await patterns.assign(NS, next!)).toEqual({ ...NOTHING, assigned: 1 })
  })

  it.each([
    ['in the middle of a page', 3, [0, 1, 4]],
    ['at the end of a page', 4, [0, 1, 4, 5]]
  ])('stop a step at the number of logs that the store takes, %s', async (_where, maxAssigned, places) => {
    const part = new OnePart(['disk is full', 'disk is full', '', '', 'disk is full', 'disk is full', 'disk is full'])
    part.maxAssigned = maxAssigned
    const { patterns } = open(part)
    expect(await patterns.assign(NS, FIRST)).toMatchObject({ assigned: maxAssigned, next: { part: 'b' } })
    expect([...part.rewrites[0]!.patterns.keys()]).toEqual(places)
  })

  it('count logs that were deleted meanwhile as missed', async () => {
    const part = new OnePart(['disk is full', 'disk is full', 'disk is full'])
    part.missing = 1
    expect(await open(part).patterns.assign(NS, FIRST)).toEqual({ ...NOTHING, assigned: 2, missed: 1 })
  })

  it('go on where a store stopped before the end, also after the last page', async () => {
    const part = new OnePart(['', 'disk is full', '', 'disk is full', '', 'disk is full'])
    const { patterns } = open(part)
    part.stopped = { assigned: 1, refused: 1, refusal: 'too long', isWhole: false, next: { part: 'a', after: 4 } }
    const done = { assigned: 1, wordless: 3, refused: 1, refusal: 'too long', next: { part: 'a', after: 4 } }
    expect(await patterns.assign(NS, FIRST)).toEqual({ ...NOTHING, ...done })
    expect(await patterns.assign(NS, done.next)).toMatchObject({ wordless: 0, next: done.next })
  })

  it('count no log without a word twice where a rewritten part is read from its beginning', async () => {
    const part = new OnePart(['', 'disk is full', 'disk is full'])
    const { patterns, time } = open(part)
    part.onPage = () => time.pass(STEP_MS)
    expect(await patterns.assign(NS, FIRST)).toMatchObject({ wordless: 0, next: { part: 'b', after: -1 } })
  })

  it.each(['gone', 'damaged'] as const)('name a part that is %s, and change nothing', async fault => {
    const part = new OnePart(['disk is full'])
    const { patterns } = open(part)
    part.fault = fault
    expect(await patterns.assign(NS, FIRST)).toEqual({ ...NOTHING, fault })
    part.fault = null
    part.onPage = () => queueMicrotask(() => (part.fault = fault))
    expect(await patterns.assign(NS, FIRST)).toMatchObject({ assigned: 0, fault })
    expect(part.rewrites).toEqual([])
  })

  it('are not given while the catalogue fails', async () => {
    const part = new OnePart(['disk is full'])
    const { catalog, patterns } = open(part)
    catalog.failure = new Error('no database')
    await expect(patterns.assign(NS, FIRST)).rejects.toThrow('no database')
    await expect(patterns.assign(NS, FIRST)).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(part.rewrites).toEqual([])
  })

  it('share the overflow pattern beyond the limit of templates, which is stated', async () => {
    // Three words differ from message to message, so that no two templates become one.
    const messages = Array.from({ length: MAX_PATTERNS + 3 }, (_, i) => `${word(i)} ${word(i)} of ${word(i)}`)
    const part = new OnePart(messages, 2_000)
    const { catalog, patterns } = open(part)
    const { assigned, hasOverflow } = await patterns.assign(NS, FIRST)
    expect([assigned, catalog.byId.size]).toEqual([messages.length, MAX_PATTERNS])
    expect(hasOverflow).toBe(true)
    expect([...part.rewrites[0]!.patterns.values()].filter(id => id === OVERFLOW_ID).length).toBe(3)
  })
})
