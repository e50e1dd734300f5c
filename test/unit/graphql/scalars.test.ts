import { describe, expect, it } from '@jest/globals'
import { parseValue } from 'graphql'
import { Timestamp } from '../../../schema/scalars.js'
import { resolveWindow } from '../../../src/domain/time-range.js'

const NOW_NS = 1_800_000_000_000_000_000n

describe('a Timestamp of GraphQL', () => {
  it.each([
    '2026-11-21T10:00:00.123456789Z',
    '2026-11-21',
    '2026-11-21T10:00',
    '2026-11-21 10:00:00',
    '2026-11-21T10:00:00+02:00',
    '1763700000',
    '1763700000000000000',
    'now-15m',
    'now+1m'
  ])('is what REST takes for a time: %s', text => {
    expect(Timestamp.parseValue(text)).toBe(text)
    expect(Timestamp.parseLiteral(parseValue(JSON.stringify(text)))).toBe(text)
    expect(() => resolveWindow(text, '2100-01-01', NOW_NS, 0)).not.toThrow()
  })

  it.each(['', '2026-13-01', '2026-02-30', '21.11.2026', 'yesterday', 'now-', 'now-1x', '1e9', '-'])(
    'is not what REST takes for none: %j',
    text => {
      expect(() => Timestamp.parseValue(text)).toThrow('Timestamp must be RFC 3339, a date (UTC)')
      if (text !== '') expect(() => resolveWindow(text, '2100-01-01', NOW_NS, 0)).toThrow('start is not a time')
    }
  )

  it('is a text', () => {
    expect(() => Timestamp.parseValue(1_763_700_000)).toThrow('Timestamp must be')
    expect(() => Timestamp.parseLiteral(parseValue('1763700000'))).toThrow('Timestamp must be')
  })
})
