import { describe, expect, it } from '@jest/globals'
import type { HostListener, HostSighting } from '../../../../src/domain/reported-host.js'
import { listenerState } from '../../../../src/domain/reported-host.js'
import { mergeHosts } from '../../../../src/query/hosts/host-merge.js'
import { NS } from '../../ingest/items.js'

const NOW_MS = 1_763_690_000_000
const NOW_NS = BigInt(NOW_MS) * 1_000_000n
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

function reported(name: string, ageMs: number, changes: Partial<HostSighting> = {}): HostSighting {
  const seenMs = NOW_MS - ageMs
  const times = { intervalMs: MINUTE_MS, firstSeenMs: 0, lastSeenMs: seenMs, listenersSeenMs: seenMs }
  return { namespaceId: NS, id: `machine-${name}`, name, ...times, ...changes }
}

function stateOf(agentAgeMs: number | null, telemetryAgeMs: number | null): string {
  const seen = new Map(telemetryAgeMs === null ? [] : [['a', NOW_NS - BigInt(telemetryAgeMs) * 1_000_000n]])
  return mergeHosts(seen, agentAgeMs === null ? [] : [reported('a', agentAgeMs)], NOW_NS)[0]!.state
}

describe('a host', () => {
  it.each([
    [0, null, 'active'],
    [3 * MINUTE_MS, null, 'active'],
    [3 * MINUTE_MS + 1, null, 'stale'],
    [DAY_MS, null, 'stale'],
    [DAY_MS + 1, null, 'gone'],
    [null, 5 * MINUTE_MS, 'active'],
    [null, 5 * MINUTE_MS + 1, 'stale'],
    [null, DAY_MS + 1, 'gone'],
    [3 * MINUTE_MS + 1, 0, 'stale'],
    [DAY_MS + 1, 0, 'active'],
    [0, DAY_MS + 1, 'active']
  ])('whose agent reported %j ms ago and whose telemetry came %j ms ago is %s', (agent, telemetry, state) => {
    expect(stateOf(agent, telemetry)).toBe(state)
  })

  it('was last seen when either was, and has the id of the machine that reported last', () => {
    const seen = new Map([
      ['b', NOW_NS - 5n],
      ['a', NOW_NS - 1n]
    ])
    const agents = [
      reported('b', 0),
      reported('a', 1),
      reported('c', 9, { id: 'old' }),
      reported('c', 7, { id: 'new' }),
      reported('c', 8)
    ]
    expect(mergeHosts(seen, agents, NOW_NS).map(({ name, lastSeenNs, hostId }) => [name, NOW_NS - lastSeenNs, hostId])).toEqual([
      ['a', 1n, 'machine-a'],
      ['b', 0n, 'machine-b'],
      ['c', 7_000_000n, 'new']
    ])
    expect(mergeHosts(seen, [], NOW_NS).map(({ hostId }) => hostId)).toEqual([null, null])
  })
})

describe('a listener', () => {
  const state = (ageMs: number, changes: Partial<HostListener>, host: Partial<HostSighting> = {}): string =>
    listenerState({ changedMs: 0, closedMs: null, ...changes } as HostListener, reported('a', ageMs, host), NOW_MS)

  it('is as old as the latest report with a list, and gone when it closed', () => {
    expect([state(0, {}), state(3 * MINUTE_MS + 1, {}), state(DAY_MS + 1, {})]).toEqual(['active', 'stale', 'gone'])
    expect(state(0, { closedMs: NOW_MS })).toBe('gone')
    expect(state(0, {}, { listenersSeenMs: NOW_MS - 4 * MINUTE_MS })).toBe('stale')
  })
})
