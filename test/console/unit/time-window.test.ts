import { describe, expect, it } from '@jest/globals'
import { formatInstantNs, parseInstantNs } from '../../../console/src/format/instant.js'
import { lastOf, readWindow, resolveWindow, windowChanges } from '../../../console/src/url/time-window.js'

const NOW = Date.parse('2026-11-20T12:00:00.000Z')

describe('the window of an address', () => {
  it('is the last hour when the address names none', () => {
    const { choice, problems } = readWindow({}, NOW)
    expect(problems).toEqual([])
    expect(resolveWindow(choice, NOW)).toEqual({ from: '2026-11-20T11:00:00Z', to: '2026-11-20T12:00:00Z' })
  })

  it('keeps nanoseconds', () => {
    const from = '2026-11-20T11:00:00.123456789Z'
    const { choice } = readWindow({ from }, NOW)
    expect(resolveWindow(choice, NOW).from).toBe(from)
  })

  it.each([
    ['from', 'yesterday', 'now-1h'],
    ['to', '2026-13-01T00:00:00Z', 'now'],
    ['from', 'now-1y', 'now-1h'],
    ['from', '', 'now-1h']
  ])('names a bad value of %s: "%s"', (key, value, instead) => {
    const { choice, problems } = readWindow({ [key]: value }, NOW)
    expect(problems).toEqual([{ key, value, instead }])
    expect(choice).toEqual({ from: 'now-1h', to: 'now' })
  })

  it('refuses a window that ends before it starts', () => {
    const { choice, problems } = readWindow({ from: 'now', to: 'now-1h' }, NOW)
    expect(choice).toEqual({ from: 'now-1h', to: 'now' })
    expect(problems).toHaveLength(1)
  })

  it('leaves the default out of the address', () => {
    expect(windowChanges({ from: 'now-1h', to: 'now' })).toEqual({ from: null, to: null })
    expect(windowChanges({ from: 'now-6h', to: 'now' })).toEqual({ from: 'now-6h', to: null })
  })

  it('is called by its length when it ends now', () => {
    expect(lastOf({ from: 'now-1h', to: 'now' })).toBe('Last 1 hour')
    expect(lastOf({ from: 'now-15m', to: 'now' })).toBe('Last 15 minutes')
    expect(lastOf({ from: 'now-15m', to: 'now-5m' })).toBeNull()
  })
})

describe('an instant', () => {
  it.each(['2026-11-20T12:00:00Z', '2026-11-20T12:00:00.5Z', '2026-11-20T12:00:00.000000001Z', '1969-12-31T23:59:59.999999999Z'])(
    'comes back as it was: %s',
    text => {
      expect(formatInstantNs(parseInstantNs(text)!)).toBe(text)
    }
  )

  it('is read with an offset', () => {
    expect(formatInstantNs(parseInstantNs('2026-11-20T13:00:00.25+01:00')!)).toBe('2026-11-20T12:00:00.25Z')
  })
})
