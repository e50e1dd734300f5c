import { describe, expect, it } from '@jest/globals'
import { createInstantFormat } from '../../../console/src/format/instant.js'

const HOUR_MS = 3_600_000
const at = (text: string): number => Date.parse(text)
const format = createInstantFormat('UTC', () => at('2026-11-23T15:00:00Z'))

describe('labels of a time axis', () => {
  it('are times alone within today', () => {
    expect(format.axis([at('2026-11-23T12:00:00Z'), at('2026-11-23T13:00:00Z')], HOUR_MS)).toEqual(['12:00', '13:00'])
  })

  it('have the date where the day changes, and first when it is not today', () => {
    const times = ['2026-11-21T18:00:00Z', '2026-11-21T21:00:00Z', '2026-11-22T00:00:00Z', '2026-11-23T03:00:00Z'].map(at)
    expect(format.axis(times, HOUR_MS)).toEqual(['11-21 18:00', '21:00', '11-22 00:00', '11-23 03:00'])
  })

  it('have the days of their zone', () => {
    const tokyo = createInstantFormat('Asia/Tokyo', () => at('2026-11-23T14:00:00Z'))
    expect(tokyo.axis([at('2026-11-23T14:00:00Z'), at('2026-11-23T15:00:00Z')], HOUR_MS)).toEqual(['23:00', '11-24 00:00'])
  })

  it('have seconds below a minute, and dates alone from a day on', () => {
    expect(format.axis([at('2026-11-23T12:00:30Z')], 30_000)).toEqual(['12:00:30'])
    expect(format.axis([at('2026-11-22T00:00:00Z'), at('2026-11-23T00:00:00Z')], 24 * HOUR_MS)).toEqual(['11-22', '11-23'])
  })
})
