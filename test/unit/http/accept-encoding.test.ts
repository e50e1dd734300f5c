import { describe, expect, it } from '@jest/globals'
import { acceptedEncoding } from '../../../src/http/accept-encoding.js'

const STORED = ['br', 'gzip'] as const

describe('acceptedEncoding', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['GZIP;q=0.5, BR;q=0.2', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.0, gzip;q=0', null],
    ['*', 'br'],
    ['*;q=0.5, gzip;q=0.8', 'gzip'],
    ['*, br;q=0', 'gzip'],
    ['identity', null],
    ['', null],
    ['gzip;q=nonsense', null],
    ['gzip;q=2', null],
    ['brotli', null]
  ])('prefers of %s: %s', (header, coding) => {
    expect(acceptedEncoding(header, STORED)).toBe(coding)
  })

  it('sends plain bytes to a client that names nothing, and codings that are stored alone', () => {
    expect(acceptedEncoding(undefined, STORED)).toBeNull()
    expect(acceptedEncoding('br, gzip;q=0.1', ['gzip'])).toBe('gzip')
    expect(acceptedEncoding('br', [])).toBeNull()
  })

  it('reads 32 codings of a header and no more', () => {
    const many = (count: number): string => [...Array.from({ length: count }, (_, i) => `x${i}`), 'br'].join(',')
    expect(acceptedEncoding(many(31), STORED)).toBe('br')
    expect(acceptedEncoding(many(40_000), STORED)).toBeNull()
  })
})
