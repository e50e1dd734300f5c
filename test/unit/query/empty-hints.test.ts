import { describe, expect, it } from '@jest/globals'
import type { ResolvedWindow } from '../../../src/domain/time-range.js'
import { type LogConditions, logFilter } from '../../../src/query/conditions.js'
import { emptyHints } from '../../../src/query/empty-hints.js'
import { fieldOf, LOG_VOCABULARY } from '../../../src/query/vocabulary.js'

const HOUR_NS = 3_600_000_000_000n
const chosen: ResolvedWindow = { startNs: 0n, endNs: HOUR_NS, unitDetected: 's' }

function hints(conditions: LogConditions, window: ResolvedWindow = chosen, facets: readonly string[] = []): readonly string[] {
  const fields = facets.map(name => fieldOf(LOG_VOCABULARY, name))
  return emptyHints({ filter: logFilter(conditions), vocabulary: LOG_VOCABULARY, window, fields })
}

describe('an empty response', () => {
  it.each([
    ['servce:cart', 'did you mean service?'],
    ['msg:boom', 'did you mean message?'],
    ['-hostname:a', 'did you mean host?'],
    ['a OR (severity:>3 b)', 'did you mean level?'],
    ['level:errors', 'not one of the usual levels: trace, debug'],
    ['level=error', 'to search a field, write level:error'],
    ['service==cart', 'to search a field, write service:cart'],
    ['a && b', 'write OR between alternatives'],
    ['cart or checkout', 'the operator is OR, in capital letters'],
    ['cart not error', 'the operator is NOT, in capital letters'],
    ['status>=500', 'to compare numbers, write status:>=500'],
    ['level!=error', 'to exclude a value, write -level:error'],
    ['/time.*out/', 'a regex is a condition of filters'],
    ['/timeout/', 'a regex is a condition of filters'],
    ['{service=cart}', 'selectors here is service:value here'],
    ["'out of memory'", 'double quotes'],
    ['has:trace_id', 'search for the presence of a field, write trace_id:*']
  ])('suggests for %s what may have been meant', (query, text) => {
    expect(hints({ query })).toEqual([expect.stringContaining(text)])
  })

  it('reports that a regex must match the whole value, unless it allows anything around it', () => {
    const regex = (value: string) => hints({ filters: [{ field: 'message', op: 'regex', value }] })
    expect(regex('refused')).toEqual([expect.stringContaining('whole value')])
    expect(regex('.*refused.*')).toEqual([])
  })

  it.each([
    [1n, 'the last hour'],
    [24n, 'the last 24 hours']
  ])('reports that no one chose a window of %s hours', (hours, text) => {
    const window = { startNs: 0n, endNs: hours * HOUR_NS, unitDetected: 'default' } as const
    expect(hints({ service: 'cart' }, window)).toEqual([expect.stringContaining(text)])
  })

  it('has no hint for a window that covers all that is kept', () => {
    expect(hints({}, { startNs: 0n, endNs: 25n * HOUR_NS, unitDetected: 'default' })).toEqual([])
  })

  it('looks at the fields of facets too', () => {
    expect(hints({}, chosen, ['levl', 'level', 'release'])).toEqual([expect.stringContaining('"levl"')])
  })

  it('is explained by nothing when the query names what there may well be', () => {
    expect(hints({ query: 'service:cart order_id:7 "timed out" -level:error duration_ms:>5 x=1', level: 'warn' })).toEqual([])
  })

  it('is explained by five sentences at most', () => {
    const query = ['msg', 'lvl', 'hostname', 'app', 'ts', 'servce'].map(name => `${name}:a`).join(' ')
    expect(hints({ query })).toHaveLength(5)
  })
})
