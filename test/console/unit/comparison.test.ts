import { describe, expect, it } from '@jest/globals'
import { onGrid } from '../../../console/src/charts/compared.js'
import { readComparison } from '../../../console/src/url/comparison.js'

const WINDOW = { from: '2026-11-23T11:00:00Z', to: '2026-11-23T12:00:00Z' }
const NOW = Date.parse('2026-11-23T12:00:00Z')

describe('the window of the key cmp', () => {
  it.each([
    ['prev', '2026-11-23T10:00:00Z', '2026-11-23T11:00:00Z', 3_600_000],
    ['DAY', '2026-11-22T11:00:00Z', '2026-11-22T12:00:00Z', 86_400_000],
    ['week', '2026-11-16T11:00:00Z', '2026-11-16T12:00:00Z', 604_800_000],
    ['now-4h..now-3h', '2026-11-23T08:00:00Z', '2026-11-23T09:00:00Z', 10_800_000],
    ['2026-11-01T00:00:00Z..2026-11-01T01:00:00Z', '2026-11-01T00:00:00Z', '2026-11-01T01:00:00Z', 1_940_400_000]
  ])('%s is %s to %s', (cmp, from, to, shiftMs) => {
    const { comparison, problems } = readComparison({ cmp }, WINDOW, NOW)
    expect(problems).toEqual([])
    expect(comparison).toMatchObject({ window: { from, to }, shiftMs })
  })

  it.each(['month', 'now..now', 'now-1h..', '..', 'now-3h..now-2h..now-1h', '__proto__'])('is reported when it is %s', cmp => {
    const { comparison, problems } = readComparison({ cmp }, WINDOW, NOW)
    expect(comparison).toBeNull()
    expect(problems).toEqual([{ key: 'cmp', value: cmp, instead: 'no comparison' }])
  })

  it('is absent without the key', () => {
    expect(readComparison({}, WINDOW, NOW)).toEqual({ comparison: null, problems: [] })
  })
})

describe('samples of a compared window', () => {
  const grid = { start: '2026-11-23T11:00:00Z', stepMs: 60_000, length: 4 }

  it('are those of the same distance from the start', () => {
    const own = { start: '2026-11-23T10:00:00Z', stepMs: 60_000, length: 4 }
    expect(onGrid(grid, { grid: own, samples: [1, null, 3, 4] }, 3_600_000)).toEqual([1, null, 3, 4])
  })

  it('are the nearest ones when the grids differ, and missing outside of it', () => {
    const own = { start: '2026-11-23T10:00:30Z', stepMs: 120_000, length: 2 }
    expect(onGrid(grid, { grid: own, samples: [5, 6] }, 3_600_000)).toEqual([5, 5, 6, 6])
    expect(onGrid(grid, { grid: own, samples: [5] }, 3_600_000)).toEqual([5, 5, null, null])
  })
})
