import { expect, it } from '@jest/globals'
import { isNamed } from '../../../src/stores/duckdb/wire/packed-append.js'
import { type KnownId, POINTS_AT_ONCE, pointsAppend, pointsAppendInSlices } from '../../../src/stores/duckdb/wire/points.js'
import { nextIngestId, NS, testPoint } from '../../support/duckdb-fixture.js'

const SLICES = 4
const items = Array.from({ length: SLICES * POINTS_AT_ONCE }, (_, i) =>
  testPoint(i, { labels: [{ name: 'i', value: String(i % 100) }] })
)
const batch = { ingestId: nextIngestId(), items }

/** Knows every second series. */
function ids(): (key: string) => KnownId | undefined {
  const known = new Map<string, KnownId | undefined>()
  return key => {
    if (!known.has(key))
      known.set(key, known.size % 2 === 0 ? { id: BigInt(known.size + 1), request: 0, position: 0 } : undefined)
    return known.get(key)
  }
}

it('the frame of many points is the same, made in slices', async () => {
  let scheduler = 0
  let isDone = false
  const count = (): void => {
    scheduler++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const frame = await pointsAppendInSlices(NS, batch, ids())
  isDone = true
  const { seriesList, ...columns } = pointsAppend(NS, batch, ids())
  expect(scheduler).toBeGreaterThanOrEqual(SLICES)
  expect({ ...frame, seriesList: [] }).toEqual({ ...columns, seriesList: [] })
  expect(frame.seriesList.map(each => (isNamed(each) ? each.key : each.id))).toEqual(
    seriesList.map(each => (isNamed(each) ? each.key : each.id))
  )
})

it('two of them at once keep each point with its series', async () => {
  const idOf = ids()
  const frames = await Promise.all([pointsAppendInSlices(NS, batch, idOf), pointsAppendInSlices(NS, batch, idOf)])
  const { seriesList, series } = pointsAppend(NS, batch, ids())
  const expected = Array.from(series, position => nameOf(seriesList[position]!))
  for (const frame of frames) expect(Array.from(frame.series, position => nameOf(frame.seriesList[position]!))).toEqual(expected)
})

function nameOf(each: ReturnType<typeof pointsAppend>['seriesList'][number]): string {
  return isNamed(each) ? each.key : String(each.id)
}
