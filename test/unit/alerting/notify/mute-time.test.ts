import { describe, expect, it } from '@jest/globals'
import { isInIntervals, MAX_INTERVALS, parseIntervals } from '../../../../src/alerting/notify/route/mute-time.js'

const isMuted = (interval: object, time: string): boolean =>
  isInIntervals(parseIntervals([interval], 'intervals'), Date.parse(time))

describe('mute times', () => {
  it('contain the hours of a day, the end excluded', () => {
    const nights = {
      times: [
        { start_time: '22:30', end_time: '24:00' },
        { start_time: '00:00', end_time: '06:00' }
      ]
    }
    const at = ['22:29', '22:30', '23:59', '00:00', '05:59', '06:00'].map(time => isMuted(nights, `2026-11-24T${time}:59Z`))
    expect(at).toEqual([false, true, true, true, true, false])
  })

  it('contain days of the week and months, by name and as ranges', () => {
    const weekend = { weekdays: ['saturday', 'Sunday'] }
    // 2026-11-20 is a Friday.
    expect([20, 21, 22, 23].map(day => isMuted(weekend, `2026-11-${day}T12:00:00Z`))).toEqual([false, true, true, false])
    expect(isMuted({ weekdays: ['monday:friday'] }, '2026-11-20T23:59:59Z')).toBe(true)
    expect(isMuted({ months: ['november:december', '2'] }, '2026-02-01T00:00:00Z')).toBe(true)
    expect(isMuted({ months: ['3:10'] }, '2026-11-01T00:00:00Z')).toBe(false)
  })

  it('count days from the end of the month', () => {
    const last = { days_of_month: ['-1'] }
    expect(isMuted(last, '2026-02-28T12:00:00Z')).toBe(true)
    expect(isMuted(last, '2028-02-28T12:00:00Z')).toBe(false)
    expect(isMuted({ days_of_month: ['1:-2'] }, '2026-04-29T12:00:00Z')).toBe(true)
    expect(isMuted({ days_of_month: ['1:-2'] }, '2026-04-30T12:00:00Z')).toBe(false)
    expect(isMuted({ days_of_month: ['31'] }, '2026-04-30T12:00:00Z')).toBe(false)
  })

  it('follow the clock of their zone, its summer time too', () => {
    const office = { times: [{ start_time: '09:00', end_time: '17:00' }], location: 'Europe/Berlin' }
    expect(isMuted(office, '2026-07-01T07:00:00Z')).toBe(true)
    expect(isMuted(office, '2026-01-01T07:59:59Z')).toBe(false)
    expect(isMuted(office, '2026-01-01T08:00:00Z')).toBe(true)
    expect(isMuted({ weekdays: ['tuesday'], location: 'Pacific/Auckland' }, '2026-11-23T12:00:00Z')).toBe(true)
  })

  it('need every member, and one of the intervals', () => {
    const both = { weekdays: ['friday'], months: ['december'] }
    expect(isMuted(both, '2026-11-20T12:00:00Z')).toBe(false)
    expect(isInIntervals(parseIntervals([both, { weekdays: ['friday'] }], 'intervals'), Date.parse('2026-11-20T12:00:00Z'))).toBe(
      true
    )
    expect(isMuted({}, '2026-11-20T12:00:00Z')).toBe(true)
  })

  it.each([
    [{ times: [{ start_time: '9:00', end_time: '17:00' }] }, 'intervals.0.times.0.start_time'],
    [{ times: [{ start_time: '09:00', end_time: '24:01' }] }, 'intervals.0.times.0.end_time'],
    [{ times: [{ start_time: '17:00', end_time: '09:00' }] }, 'intervals.0.times.0'],
    [{ times: ['09:00'] }, 'intervals.0.times.0.start_time'],
    [{ times: [] }, 'intervals.0.times'],
    [{ weekdays: ['holiday'] }, 'intervals.0.weekdays.0'],
    [{ weekdays: ['friday:monday'] }, 'intervals.0.weekdays.0'],
    [{ weekdays: ['a:b:c'] }, 'intervals.0.weekdays.0'],
    [{ days_of_month: ['0'] }, 'intervals.0.days_of_month.0'],
    [{ days_of_month: ['5:3'] }, 'intervals.0.days_of_month.0'],
    [{ months: ['13'] }, 'intervals.0.months.0'],
    [{ location: 'Mars/Olympus' }, 'intervals.0.location'],
    [{ years: ['2026'] }, 'intervals.0.years'],
    ['monday', 'intervals.0']
  ])('%j is refused at %s', (interval, field) => {
    expect(() => parseIntervals([interval], 'intervals')).toThrow(expect.objectContaining({ code: 'invalid_field', field }))
  })

  it('are bounded', () => {
    const many = (count: number): readonly object[] => Array.from({ length: count }, () => ({}))
    expect(parseIntervals(many(MAX_INTERVALS), 'intervals')).toHaveLength(MAX_INTERVALS)
    expect(() => parseIntervals(many(MAX_INTERVALS + 1), 'intervals')).toThrow('1 to 50 intervals')
    expect(() => parseIntervals([], 'intervals')).toThrow('1 to 50 intervals')
  })
})
