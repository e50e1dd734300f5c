import { describe, expect, it } from '@jest/globals'
import type { NamespaceId } from '../../../src/domain/ids.js'
import { DEFAULT_RETENTION, type Namespace } from '../../../src/domain/namespace.js'
import { DEFAULT_STORAGE } from '../../../src/domain/storage-plan.js'
import type { Cut, Warning } from '../../../src/domain/warning.js'
import { cutByLimit } from '../../../src/query/cut-by-limit.js'
import { cutsOf } from '../../../src/query/cuts.js'
import { clipToRetention } from '../../../src/query/read-window.js'
import { gapSentences } from '../../../src/stores/duckdb/gaps.js'
import { sampleCut } from '../../../src/stores/elasticsearch/read/sample-cut.js'
import { deletionCut, histogramCut } from '../../../src/stores/shared/cuts.js'
import { waitingGaps } from '../../../src/stores/shared/gaps.js'

const DAY_NS = 86_400_000_000_000n
const NOW_NS = 1_800_000_000_000_000_000n
const WINDOW = { startNs: NOW_NS - DAY_NS, endNs: NOW_NS }
const NS = 'nscuts' as NamespaceId
const NAMESPACE: Namespace = {
  ...{ id: NS, name: 'shop', kind: 'team', state: 'active', createdAtMs: 0, storage: DEFAULT_STORAGE.team },
  retention: { ...DEFAULT_RETENTION, logs: 3_600_000 }
}

const cuts = (...warnings: readonly Warning[]) => cutsOf({ complete: false, warnings, window: WINDOW })

describe('cuts of a response', () => {
  it('are absent when it is complete, whatever it warns of', () => {
    expect(cutsOf({ complete: true, warnings: cutByLimit(true, 'rows', 5) })).toEqual([])
  })

  it('name the part of the window that the retention ended', () => {
    const place = { namespace: NAMESPACE, signal: 'logs', nowNs: NOW_NS } as const
    const { warnings } = clipToRetention({ ...WINDOW, unitDetected: 's' }, place)
    expect(cuts(...warnings)).toEqual([
      {
        kind: 'retention',
        detail: expect.stringMatching(/^logs before .* are past this namespace's retention$/),
        window: { startNs: WINDOW.startNs, endNs: NOW_NS - 3_600_000_000_000n },
        limit: null,
        remedy: expect.stringMatching(/retention/)
      }
    ])
  })

  it('name the limit that left rows out', () => {
    expect(cuts(...cutByLimit(true, 'groups', 50), 'did you mean level?')).toEqual([
      expect.objectContaining({ kind: 'cap', limit: 50, window: null })
    ])
  })

  it.each<[Cut, string]>([
    [histogramCut(50), 'the histogram has only the 50 most frequent values of its field'],
    [sampleCut('only the latest 10 matching spans were searched', 10), 'only the latest 10 matching spans were searched'],
    [sampleCut('only traces of about 20 spans were searched'), 'only traces of about 20 spans were searched']
  ])('of stores: %j', (cut, detail) => {
    expect(cuts('a hint', cut)).toEqual([{ kind: cut.kind, detail, remedy: cut.remedy, limit: cut.limit ?? null, window: null }])
  })

  it('name records that wait for their store, here and elsewhere', () => {
    for (const signal of ['logs', 'metrics', 'traces', 'rum', 'errors'] as const) {
      const sentences = waitingGaps(() => ({ here: 1, elsewhere: 2 })).of(NS, signal, WINDOW)
      expect(cuts(...sentences).map(({ kind }) => kind)).toEqual(['spooled', 'spooled'])
    }
  })

  it('name the stretch of what is damaged or lost, within the window', () => {
    const common = { ns: NS, kind: 'logs', minNs: WINDOW.startNs - 5n, maxNs: WINDOW.startNs + 5n, reason: 'damaged' } as const
    for (const gap of [
      { ...common, rows: 3, isOpen: true },
      { ...common, rows: null, isOpen: false }
    ]) {
      const sentences = gapSentences([gap], ['logs'], NS, WINDOW)
      expect(cuts(...sentences)).toEqual([
        expect.objectContaining({ kind: 'store', window: { startNs: WINDOW.startNs, endNs: WINDOW.startNs + 5n } })
      ])
    }
  })

  it.each([
    ['logs', 'an index'],
    ['metrics', 'a bucket']
  ])('%s that were stored before a loss reach up to it', (records, what) => {
    const found = cuts(deletionCut(records, Date.UTC(2027, 0, 15), what))
    const detail = `${records} that were stored before 2027-01-15T00:00:00.000Z may be missing: ${what} of the store was deleted`
    expect(found).toEqual([
      expect.objectContaining({
        kind: 'store',
        detail,
        window: { startNs: WINDOW.startNs, endNs: 1_799_971_200_000_000_000n }
      })
    ])
  })

  it('are not found in what hints quote', () => {
    const quoted = 'no service is "3 logs are spooled on x" in this window: did you mean "y"?'
    expect(cuts(...cutByLimit(true, 'rows', 5), quoted)).toHaveLength(1)
  })

  it('are the first sentence where none is known to cut', () => {
    expect(cuts('series that another gateway added recently may be missing', 'a hint')).toEqual([
      expect.objectContaining({ kind: 'store', detail: 'series that another gateway added recently may be missing' })
    ])
    expect(cuts()).toEqual([])
  })
})
