import { describe, expect, it } from '@jest/globals'
import { createInstantFormat } from '../../../console/src/format/instant.js'
import { haveDates, timeColumn } from '../../../console/src/tables/time-column.js'

const format = createInstantFormat('Asia/Tokyo', () => Date.parse('2026-11-23T16:00:00Z'))
const TODAY = ['2026-11-23T15:00:00.000000000Z', '2026-11-24T14:59:59.999999999Z'] as const

const px = (width: string): number => Number(/^(\d+)px$/.exec(width)![1])

describe('a column of times', () => {
  it.each([
    ['none', [], false],
    ['the present day in the zone of the page', TODAY, false],
    ['the day before', ['2026-11-23T14:59:59.999999999Z', ...TODAY], true],
    ['the day after', [...TODAY, '2026-11-24T15:00:00.000000000Z'], true]
  ] as const)('has dates when an instant is of another day: %s', (_name, instants, expected) => {
    expect(haveDates(format, instants)).toBe(expected)
    expect(instants.some(instant => format.time(instant).startsWith('2026'))).toBe(expected)
  })

  it('is wide enough for its header, and wider with dates', () => {
    expect(timeColumn('Time', 'UTC', false).header).toBe('Time (UTC)')
    expect(px(timeColumn('Time', 'UTC', false).width)).toBeLessThan(px(timeColumn('Time', 'UTC', true).width))
    const zone = 'America/Argentina/ComodRivadavia'
    expect(px(timeColumn('Time', zone, false).width)).toBe(px(timeColumn('Time', zone, true).width))
  })
})
