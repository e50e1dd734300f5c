import { describe, expect, it } from '@jest/globals'
import { timedQueries } from '../../bench/commands/query-set.js'
import { KNOWN_TRACE_EVERY, KNOWN_USER, LogSource } from '../../bench/generate/logs.js'
import { parseOptions } from '../../bench/options.js'
import { timeAlternately } from '../../bench/peer/alternate.js'
import { peerQueries } from '../../bench/peer/peer-queries.js'

const TALLY = { failed: 1, slow: 1, ofUser: 1, spanId: '00f067aa0ba902b7' }

describe('a comparison with a peer', () => {
  it('is requested by a flag', () => {
    expect(parseOptions(['--peer']).withPeer).toBe(true)
    expect(parseOptions([]).withPeer).toBe(false)
  })
  it('has a query of the peer for each of the service', () => {
    const own = timedQueries({ from: '2026-01-01T00:00:00Z', tally: TALLY }).map(({ name }) => name)
    expect([...peerQueries({ startMs: 0, endMs: 3_600_000, spanId: TALLY.spanId }).keys()]).toEqual(own)
  })
  it('runs both alternately, each first in every other round, and returns what they found', async () => {
    const order: string[] = []
    const side = (name: string, found: number) => async (): Promise<number> => {
      order.push(name)
      return found
    }
    const { first, second } = await timeAlternately(side('a', 1), side('b', 2))
    expect([first.found, second.found]).toEqual([1, 2])
    expect(order.join('')).toBe('baab'.repeat(5))
  })
  it('knows how many logs of a user there are, and a span that one log has', () => {
    const source = new LogSource(3)
    const lines = Array.from({ length: 60_000 }, () => source.next(0, 0))
    const { ofUser, spanId } = source.tally
    expect(lines.filter(line => line.includes(`"user_id":"${KNOWN_USER}"`))).toHaveLength(ofUser)
    expect(ofUser).toBeGreaterThan(0)
    expect(lines[KNOWN_TRACE_EVERY - 1]).toContain(`"span_id":"${spanId}"`)
    expect(lines.filter(line => line.includes(spanId!))).toHaveLength(1)
  })
})
