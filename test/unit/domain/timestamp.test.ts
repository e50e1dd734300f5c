import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { epochToNs, formatNs, parseEpochNs, parseRfc3339Ns, parseWrittenTimeNs } from '../../../src/domain/timestamp.js'

describe('parseRfc3339Ns', () => {
  it.each([
    ['2026-11-20T11:40:00Z', BigInt(Date.UTC(2026, 10, 20, 11, 40)) * 1_000_000n],
    ['1970-01-01T00:00:00Z', 0n],
    ['1970-01-01t00:00:00.000000001z', 1n],
    ['1969-12-31T23:59:59.999999999Z', -1n],
    ['2000-02-29T12:00:00+02:00', BigInt(Date.UTC(2000, 1, 29, 10)) * 1_000_000n],
    ['2026-01-01T00:00:00.1234567899Z', BigInt(Date.UTC(2026, 0, 1)) * 1_000_000n + 123_456_789n],
    ['2026-01-01T00:00:00.000000000000000001+00:00', BigInt(Date.UTC(2026, 0, 1)) * 1_000_000n],
    ['2023-01-29 08:48:42.425293566Z', BigInt(Date.UTC(2023, 0, 29, 8, 48, 42)) * 1_000_000n + 425_293_566n]
  ])('reads %s', (text, ns) => {
    expect(parseRfc3339Ns(text)).toBe(ns)
  })

  it.each([
    '2026-02-31T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:00',
    '2026-01-01T00:00:00.Z',
    '2026-01-01T00:00:00+2:00',
    '2026-01-01T00:00:00+24:00',
    '2026-1-1T00:00:00Z',
    '',
    'now'
  ])('refuses %s', text => {
    expect(parseRfc3339Ns(text)).toBeNull()
  })

  it.each([
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00Z'],
    ['2016-12-31T23:59:60.5Z', '2017-01-01T00:00:00.5Z'],
    ['2015-06-30T23:59:60Z', '2015-07-01T00:00:00Z'],
    ['2017-01-01T01:59:60+02:00', '2017-01-01T00:00:00Z'],
    ['2016-12-31T18:29:60-05:30', '2017-01-01T00:00:00Z'],
    // No list of those that were: one may be announced for any of these days.
    ['2029-06-30T23:59:60Z', '2029-07-01T00:00:00Z']
  ])('takes the leap second %s as the next second', (text, next) => {
    expect(parseRfc3339Ns(text)).toBe(parseRfc3339Ns(next))
    expect(parseRfc3339Ns(text)).not.toBeNull()
  })

  it.each([
    '2026-01-01T00:00:60Z',
    '2016-12-31T23:58:60Z',
    '2016-12-31T22:59:60Z',
    '2016-12-30T23:59:60Z',
    '2016-03-31T23:59:60Z',
    '2016-12-31T23:59:60+02:00',
    '1971-12-31T23:59:60Z',
    '2016-12-31T23:59:61Z'
  ])('refuses %s, where no leap second can be', text => {
    expect(parseRfc3339Ns(text)).toBeNull()
  })

  it('bounds how long a text is looked at', () => {
    expect(parseRfc3339Ns(`2026-01-01T00:00:00.${'1'.repeat(43)}Z`)).not.toBeNull()
    expect(parseRfc3339Ns(`2026-01-01T00:00:00.${'1'.repeat(44)}Z`)).toBeNull()
  })

  it('agrees with Date on every millisecond instant and keeps the nanoseconds behind it', () => {
    const ms = fc.integer({ min: Date.UTC(1, 0, 1), max: Date.UTC(9999, 11, 31) })
    fc.assert(
      fc.property(ms, fc.integer({ min: 0, max: 999_999 }), (at, rest) => {
        const date = new Date(at)
        date.setUTCFullYear(Math.max(1, date.getUTCFullYear()))
        const text = `${date.toISOString().slice(0, -1)}${String(rest).padStart(6, '0')}Z`
        expect(parseRfc3339Ns(text)).toBe(BigInt(date.getTime()) * 1_000_000n + BigInt(rest))
      })
    )
  })

  it('reads back what formatNs wrote', () => {
    const range = { min: BigInt(Date.UTC(1, 0, 1)) * 1_000_000n, max: BigInt(Date.UTC(9999, 11, 31)) * 1_000_000n }
    fc.assert(fc.property(fc.bigInt(range), ns => expect(parseRfc3339Ns(formatNs(ns))).toBe(ns)))
  })
})

describe('a time as a person writes it', () => {
  it.each([
    ['2017-12-10', '2017-12-10T00:00:00Z'],
    ['2017-12-10T06:55', '2017-12-10T06:55:00Z'],
    ['2017-12-10 06:55:46', '2017-12-10T06:55:46Z'],
    ['2017-12-10T06:55:46.5', '2017-12-10T06:55:46.5Z'],
    ['2017-12-10T06:55:46 02:00', '2017-12-10T06:55:46+02:00'],
    ['2017-12-10T06:55:46-02:00', '2017-12-10T06:55:46-02:00'],
    ['2017-12-10T06:55:46.0123456789', '2017-12-10T06:55:46.012345678Z'],
    ['2017-12-10T06:55:46.0123456789 02:00', '2017-12-10T06:55:46.012345678+02:00']
  ])('is read from %s', (text, whole) => {
    expect(parseWrittenTimeNs(text)).toBe(parseRfc3339Ns(whole))
    expect(parseWrittenTimeNs(text)).not.toBeNull()
  })

  it.each(['2017-02-31', '2017-12', '2017-12-10T25:00', 'yesterday', '2017-12-10T06:55 02:00'])('is not read from %s', text => {
    expect(parseWrittenTimeNs(text)).toBeNull()
  })
})

describe('epoch numbers', () => {
  it.each([
    ['1700000000', 1_700_000_000_000_000_000n, 's'],
    ['1700000000.5', 1_700_000_000_500_000_000n, 's'],
    ['1700000000123', 1_700_000_000_123_000_000n, 'ms'],
    ['1700000000123456', 1_700_000_000_123_456_000n, 'us'],
    ['1700000000123456789', 1_700_000_000_123_456_789n, 'ns'],
    ['1795401131.8690703871', 1_795_401_131_869_070_387n, 's'],
    ['-1.5', -1_500_000_000n, 's']
  ])('reads %s by magnitude', (text, ns, unit) => {
    expect(parseEpochNs(text)).toEqual({ ns, unit })
  })

  it.each(['', '1e9', '0x10', '12345678901234567890', '1.', '١٢'])('refuses %s', text => {
    expect(parseEpochNs(text)).toBeNull()
  })

  it('changes unit exactly at the magnitudes that it documents', () => {
    expect(epochToNs(99_999_999_999n)?.unit).toBe('s')
    expect(epochToNs(100_000_000_000n)?.unit).toBe('ms')
    expect(epochToNs((1n << 63n) - 1n)?.unit).toBe('ns')
    expect(epochToNs(1n << 63n)).toBeNull()
  })
})
