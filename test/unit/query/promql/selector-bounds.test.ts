import { expect, it } from '@jest/globals'
import type { ExemplarRequest } from '../../../../src/ports/metric-notes.js'
import { DEFAULT_RETENTION, type Namespace } from '../../../../src/domain/namespace.js'
import { PromqlExemplars } from '../../../../src/query/promql/promql-exemplars.js'
import { PromqlSeries } from '../../../../src/query/promql/promql-series.js'
import { DEFAULT_QUERY_SETTINGS } from '../../../../src/query/settings.js'
import { ManualTime } from '../../../support/manual-time.js'

// How many selectors one request may have. None of them finds anything here.

const NS = { id: 'bounds', retention: DEFAULT_RETENTION } as unknown as Namespace
const RANGE = { startNs: 0n, endNs: 1n }
const NEVER = new AbortController().signal
const deps = { clock: new ManualTime(), settings: DEFAULT_QUERY_SETTINGS }

it('series and labels are requested by 100 selectors', async () => {
  const metrics = { series: async () => ({ series: [], hasMore: false }), labels: async () => ({ values: [], hasMore: false }) }
  const found = new PromqlSeries({ ...deps, metrics })
  const query = (count: number) => ({ selectors: Array.from({ length: count }, (_, i) => `m${i}`), range: RANGE })
  expect(await found.find(NS, query(100), NEVER)).toEqual({ series: [], hasMore: false })
  expect(await found.labels(NS, query(100), undefined, NEVER)).toEqual({ values: [], hasMore: false })
  await expect(found.find(NS, query(101), NEVER)).rejects.toThrow('must not exceed 100 selectors')
  await expect(found.labels(NS, query(101), undefined, NEVER)).rejects.toThrow('must not exceed 100 selectors')
})

it('exemplars are requested by a query of 20 selectors, of which equal ones are read once', async () => {
  const requested: ExemplarRequest[] = []
  const select = async (_ns: unknown, request: ExemplarRequest) => (requested.push(request), { exemplars: [], hasMore: false })
  const exemplars = new PromqlExemplars({ ...deps, exemplars: { select } })
  const sumOf = (count: number, name: (i: number) => string): string =>
    Array.from({ length: count }, (_, i) => name(i)).join(' + ')
  expect(
    await exemplars.find(
      NS,
      sumOf(20, i => `m${i % 10}`),
      RANGE
    )
  ).toEqual({ series: [], hasMore: false })
  expect(requested.map(({ matchers }) => matchers[0]!.value)).toEqual(Array.from({ length: 10 }, (_, i) => `m${i}`))
  await expect(
    exemplars.find(
      NS,
      sumOf(21, i => `m${i}`),
      RANGE
    )
  ).rejects.toThrow('must not exceed 20 selectors')
})
