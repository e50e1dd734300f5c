import { describe, expect, it } from '@jest/globals'
import { keyCommand, shellQuoted } from '../../../console/src/settings/key-command.js'
import { removalOf, retentionMs } from '../../../console/src/settings/retention-preview.js'
import { usageByDay, usageBySignal } from '../../../console/src/settings/usage-sums.js'

const DAY_MS = 86_400_000
const NOW_MS = Date.UTC(2026, 10, 23, 12)

describe('what a shorter retention removes', () => {
  const usage = [
    { day: '2026-11-01T00:00:00Z', signal: 'LOGS', items: 1_000 },
    { day: '2026-11-12T00:00:00Z', signal: 'LOGS', items: 20 },
    { day: '2026-11-12T00:00:00Z', signal: 'SPANS', items: 7 },
    { day: '2026-11-22T00:00:00Z', signal: 'LOGS', items: 3 }
  ] as const

  it('counts the days between the former limit and the new one', () => {
    expect(removalOf('logs', { before: '14d', after: '7d' }, usage, NOW_MS)).toEqual({
      beforeMs: NOW_MS - 7 * DAY_MS,
      records: 20
    })
    expect(removalOf('logs', { before: 'forever', after: '7d' }, usage, NOW_MS)?.records).toBe(1_020)
    expect(removalOf('traces', { before: '14d', after: '7d' }, usage, NOW_MS)?.records).toBe(7)
  })

  it.each([
    ['a longer one', '30d'],
    ['the same one', '14d'],
    ['no limit', 'forever'],
    ['a value that is not valid', 'soon']
  ])('is nothing for %s', (_, after) => {
    expect(removalOf('logs', { before: '14d', after }, usage, NOW_MS)).toBeNull()
  })

  it('accepts what the API accepts', () => {
    expect(retentionMs('1h30m')).toBe(5_400_000)
    expect(retentionMs('30s')).toBeNull()
    expect(retentionMs('101y')).toBeNull()
    expect(retentionMs('14')).toBeNull()
  })
})

describe('the command that tries a key', () => {
  const target = { apiUrl: 'http://127.0.0.1:8080', otlpUrl: 'http://127.0.0.1:4318', origin: null }

  it('cannot leave its quotes', () => {
    expect(shellQuoted("it's; rm -rf $HOME")).toBe(String.raw`'it'\''s; rm -rf $HOME'`)
    const rum = keyCommand('RUM', 'ali_x', { ...target, origin: "https://a.test'; id #" })
    expect(rum).not.toContain("test'; id")
  })

  it('writes where the receiver is, and reads from the API', () => {
    expect(keyCommand('INGEST', 'ali_x', target)).toContain("'http://127.0.0.1:4318/v1/logs'")
    expect(keyCommand('INGEST', 'ali_x', { ...target, otlpUrl: null })).toContain("'http://127.0.0.1:8080/api/v1/logs'")
    expect(keyCommand('QUERY', 'ali_x', target)).toContain("'http://127.0.0.1:8080/api/v1/logs?limit=1'")
  })
})

it('sums usage by signal and by day', () => {
  const points = [
    { day: '2026-11-22T00:00:00.000000000Z', signal: 'LOGS', items: 1, bytes: 10, rejected: 0 },
    { day: '2026-11-23T00:00:00.000000000Z', signal: 'LOGS', items: 2, bytes: 20, rejected: 1 },
    { day: '2026-11-23T00:00:00.000000000Z', signal: 'SPANS', items: 4, bytes: 90, rejected: 0 }
  ]
  expect(usageBySignal(points)).toEqual([
    { key: 'SPANS', items: 4, bytes: 90, rejected: 0 },
    { key: 'LOGS', items: 3, bytes: 30, rejected: 1 }
  ])
  expect(usageByDay(points).map(({ key, bytes }) => [key, bytes])).toEqual([
    ['2026-11-23', 110],
    ['2026-11-22', 10]
  ])
})
