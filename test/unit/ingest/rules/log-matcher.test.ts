import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { LogRecord } from '../../../../src/domain/records/log.js'
import { conditionsOf, logMatcher } from '../../../../src/ingest/rules/log-matcher.js'
import { isKept } from '../../../../src/ingest/rules/sampling.js'
import { parseQuery } from '../../../../src/query/search-language/parse-query.js'
import { LOG_VOCABULARY } from '../../../../src/query/vocabulary.js'
import { logArbitraries, PLAIN_VOCABULARY } from '../../../contract/log-arbitraries.js'
import { EMPTY_LOG } from '../../../support/empty-log.js'
import { matchesFilter } from '../../../support/reference-filter.js'

const LOG: LogRecord = {
  ...EMPTY_LOG,
  index: 0,
  timestampNs: 1_763_700_000_000_000_001n,
  message: 'GET /healthz took 12 ms',
  level: 'debug',
  levelText: 'DEBUG',
  severityNumber: 5,
  service: 'gateway',
  fields: { status: 200, http: { route: '/healthz' } },
  tags: { env: 'prod' }
}

describe('which logs a rule is about', () => {
  it.each([
    ['service:gateway "get /HEALTHZ"', true],
    ['level:<=debug', true],
    ['level:>=warn', false],
    ['status:<300 http.route:/healthz', true],
    ['log_fields.status:2e2', true],
    ['tags.status:200', false],
    ['env:prod -service:cart', true],
    ['trace_id:*', false],
    ['timestamp:>2020-01-01', true],
    ['severity_number:5', true]
  ])('%s', (query, expected) => {
    expect(logMatcher(parseQuery(query, LOG_VOCABULARY))(LOG)).toBe(expected)
  })

  it('are those that searches find', () => {
    const { sketch, filter } = logArbitraries(PLAIN_VOCABULARY)
    const log = sketch.map(({ at, ...rest }): LogRecord => ({ ...EMPTY_LOG, index: 0, timestampNs: BigInt(at ?? 0), ...rest }))
    fc.assert(
      fc.property(log, filter, (record, condition) => {
        fc.pre(conditionsOf(condition).every(({ kind }) => kind !== 'regex'))
        expect(logMatcher(condition)(record)).toBe(matchesFilter(record, condition))
      }),
      { numRuns: 1_000 }
    )
  })
})

describe('the share of logs that is kept', () => {
  const logs = Array.from({ length: 10_000 }, (_, i) => ({ ...LOG, timestampNs: LOG.timestampNs + BigInt(i) }))

  it('is that of the rule', () => {
    expect(logs.filter(log => isKept(log, 0))).toHaveLength(0)
    for (const share of [0.01, 0.1, 0.5, 0.9]) {
      const kept = logs.filter(log => isKept(log, share)).length / logs.length
      expect(Math.abs(kept - share)).toBeLessThan(0.02)
    }
  })

  it('has all logs of a trace or none, and the same ones again', () => {
    const traces = logs.map((log, i) => ({ ...log, traceId: `trace ${i % 100}` }))
    const kept = new Set(traces.filter(log => isKept(log, 0.3)).map(({ traceId }) => traceId))
    expect(traces.filter(log => isKept(log, 0.3))).toHaveLength(kept.size * 100)
    expect(kept.size).toBeGreaterThan(10)
  })
})
