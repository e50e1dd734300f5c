import { expect, it } from '@jest/globals'
import { MATCH_ALL } from '../../src/domain/filter.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { PageViewsRequest } from '../../src/ports/event-store.js'
import type { Stores } from '../../src/ports/stores.js'
import { type RumSketch, storeRum } from './event-fixtures.js'
import { free, known } from './log-fixtures.js'
import { BASE_NS, EVERY_TIME, NEVER, newNamespace } from './store-under-test.js'

const GRID = { startNs: BASE_NS, stepNs: 10n, count: 3 }

/** Page views of a namespace over the grid; all in one group by default. */
export function pageViews({ events }: Stores, ns: NamespaceId, request: Partial<PageViewsRequest> = {}) {
  return events.pageViews(ns, { range: EVERY_TIME, filter: MATCH_ALL, groupBy: [], grid: GRID, limit: 10, ...request }, NEVER)
}

const VIEWS: readonly RumSketch[] = [
  { at: 0, pageGroup: '/', deviceType: 'mobile', country: 'CH', vitals: { cumulative_layout_shift: 0.1 } },
  { at: 9, pageGroup: '/', deviceType: 'mobile', country: 'CH', vitals: { cumulative_layout_shift: 0.25 } },
  { at: 10, pageGroup: '/', deviceType: 'mobile', country: 'CH' },
  { at: 12, pageGroup: '/', deviceType: 'mobile', country: 'DE', vitals: { cumulative_layout_shift: 0.5 } },
  { at: 25, pageGroup: '/cart', country: 'CH', vitals: { cumulative_layout_shift: 0 } },
  { at: 30, pageGroup: '/', deviceType: 'mobile', country: 'CH' }
]

/** How often pages were seen, for any store of events. */
export function pageViewCases(of: () => Stores): void {
  it('counts page views by several fields over a grid, most first, ties by key', async () => {
    const ns = newNamespace()
    for (const view of VIEWS) await storeRum(of(), ns, [view])
    const groupBy = [known('page_group'), known('device_type'), known('country')]
    const found = await pageViews(of(), ns, { groupBy })
    expect(found).toEqual({
      rows: [
        { key: ['/', 'mobile', 'CH'], views: [2, 1, 0] },
        { key: ['/', 'mobile', 'DE'], views: [0, 1, 0] },
        { key: ['/cart', null, 'CH'], views: [0, 0, 1] }
      ],
      hasMore: false,
      complete: true,
      warnings: []
    })
    expect((await pageViews(of(), ns)).rows).toEqual([{ key: [], views: [2, 2, 1] }])
    const cut = await pageViews(of(), ns, { groupBy, limit: 1 })
    expect([cut.rows, cut.hasMore]).toEqual([found.rows.slice(0, 1), true])
    const filter = { kind: 'eq', field: known('country'), value: 'CH' } as const
    const range = { startNs: BASE_NS + 1n, endNs: BASE_NS + 25n }
    expect((await pageViews(of(), ns, { filter, range })).rows).toEqual([{ key: [], views: [1, 1, 0] }])
    expect((await pageViews(of(), ns, { groupBy, grid: { ...GRID, startNs: BASE_NS - 100n } })).rows).toEqual([])
    const coarse = { startNs: BASE_NS - 1_000_000n, stepNs: 1_000_000n, count: 2 }
    expect((await pageViews(of(), ns, { groupBy: [known('page_group')], grid: coarse })).rows).toEqual([
      { key: ['/'], views: [0, 5] },
      { key: ['/cart'], views: [0, 1] }
    ])
    await expect(pageViews(of(), ns, { groupBy: [free('plan')] })).rejects.toMatchObject({ code: 'query_unsupported' })
  })

  it('measures a vital of page views over a grid, bounds inclusive', async () => {
    const ns = newNamespace()
    for (const view of VIEWS) await storeRum(of(), ns, [view])
    const vital = { name: 'cumulative_layout_shift', bounds: [0.1, 0.25] } as const
    const { rows } = await pageViews(of(), ns, { groupBy: [known('page_group'), known('country')], vital })
    expect(rows).toEqual([
      ...[
        {
          key: ['/', 'CH'],
          views: [2, 1, 0],
          sums: [0.35, 0, 0],
          buckets: [
            [1, 0, 0],
            [1, 0, 0],
            [0, 0, 0]
          ]
        }
      ],
      ...[
        {
          key: ['/', 'DE'],
          views: [0, 1, 0],
          sums: [0, 0.5, 0],
          buckets: [
            [0, 0, 0],
            [0, 0, 0],
            [0, 1, 0]
          ]
        }
      ],
      ...[
        {
          key: ['/cart', 'CH'],
          views: [0, 0, 1],
          sums: [0, 0, 0],
          buckets: [
            [0, 0, 1],
            [0, 0, 0],
            [0, 0, 0]
          ]
        }
      ]
    ])
    const whole = await pageViews(of(), ns, { vital: { ...vital, bounds: [] } })
    expect(whole.rows).toEqual([{ key: [], views: [2, 2, 1], sums: [0.35, 0.5, 0], buckets: [[2, 1, 1]] }])
  })
}
