import { describe, expect, it } from '@jest/globals'
import { evidenceOf, ruleUrl } from '../../../../src/alerting/notify/message/evidence.js'
import type { AlertCondition } from '../../../../src/domain/alerts/alert-rule.js'
import { logFilter } from '../../../../src/query/conditions.js'
import { labelsOf } from '../../../support/alert-rules.js'

const HOUR_MS = 3_600_000
const AT_MS = Date.parse('2026-11-24T12:00:00Z')
const PLACE = { externalUrl: 'https://alidade.example/base', namespace: 'prod' }

function evidence(condition: AlertCondition, labels: Readonly<Record<string, string>> = {}, startsAtMs = AT_MS - HOUR_MS) {
  return evidenceOf(PLACE, { condition, labels: labelsOf(labels), startsAtMs, endsAtMs: null, atMs: AT_MS })
}

/** Kind, path and parameters without the window. */
function shown(condition: AlertCondition, labels: Readonly<Record<string, string>> = {}): unknown {
  const found = evidence(condition, labels)
  if (found === null) return null
  const { pathname, searchParams } = new URL(found.url)
  return [
    found.kind,
    pathname,
    ...[...searchParams].filter(([name]) => name !== 'from' && name !== 'to').map(pair => pair.join('='))
  ]
}

const LOGS = { kind: 'logs', query: 'a OR b', groupBy: ['host'], agg: 'count', field: null, windowMs: 300_000 } as const
const TRACES = { kind: 'traces', service: null, operation: null, agg: 'rate', windowMs: 60_000 } as const

describe('the evidence of an alert', () => {
  it('is the page with what its condition read', () => {
    expect(shown({ kind: 'promql', expr: 'up == 0' })).toEqual(['metrics', '/base/n/prod/metrics', 'e=up == 0'])
    expect(shown(LOGS, { host: 'web-1' })).toEqual(['logs', '/base/n/prod/logs', 'q=(a OR b) host:"web-1"'])
    expect(shown({ ...LOGS, query: '' }, {})).toEqual(['logs', '/base/n/prod/logs'])
    expect(shown({ ...LOGS, kind: 'spans', query: 'kind:client' }, { host: 'web-1' })).toEqual([
      ...['traces', '/base/n/prod/traces', 'scope=span', 'q=(kind:client) host:"web-1"']
    ])
    expect(shown({ ...TRACES, operation: 'GET /' }, { service: 'api' })).toEqual([
      ...['traces', '/base/n/prod/traces', 'scope=span', 'service=api', 'operation=GET /']
    ])
    const event = { kind: 'event', type: 'deploy', service: null, environment: null, windowMs: 60_000 } as const
    expect([shown(event, { service: 'a/b' }), shown(event)]).toEqual([['service', '/base/n/prod/apm/a%2Fb'], null])
    const absence = (of: Extract<AlertCondition, { kind: 'absence' }>['of']) => ({ kind: 'absence', of, forMs: 60_000 }) as const
    expect(shown(absence({ kind: 'host', host: null }), { host: 'web-1' })).toEqual(['host', '/base/n/prod/hosts/web-1'])
    expect(shown(absence({ kind: 'service', service: 'api' }))).toEqual(['service', '/base/n/prod/apm/api'])
    expect(shown(absence({ kind: 'metric', query: 'up' }))).toEqual(['metrics', '/base/n/prod/metrics', 'e=up'])
    expect(shown(absence({ kind: 'logs', query: 'x' }))).toEqual(['logs', '/base/n/prod/logs', 'q=x'])
  })

  it('has values that the search reads as they are', () => {
    const hostile = String.raw`a" OR host:\*`
    const url = new URL(evidence({ ...LOGS, query: '' }, { host: hostile })!.url)
    expect(logFilter({ query: url.searchParams.get('q')! })).toMatchObject({ kind: 'eq', value: hostile })
  })

  it('is in the window of the alert, at most six hours of it', () => {
    const windowOf = (startsAtMs: number): unknown => {
      const { searchParams } = new URL(evidence(LOGS, {}, startsAtMs)!.url)
      return [searchParams.get('from'), searchParams.get('to')]
    }
    expect(windowOf(AT_MS - HOUR_MS)).toEqual(['2026-11-24T10:25:00.000Z', '2026-11-24T12:00:00.000Z'])
    expect(windowOf(AT_MS - 100 * HOUR_MS)).toEqual(['2026-11-24T05:55:00.000Z', '2026-11-24T12:00:00.000Z'])
  })

  it('is left out without a public address, and when it is too long for a link', () => {
    const alert = { condition: LOGS, labels: [], startsAtMs: AT_MS, endsAtMs: null, atMs: AT_MS }
    expect([evidenceOf({ ...PLACE, externalUrl: '' }, alert), ruleUrl({ ...PLACE, externalUrl: '' }, 'r')]).toEqual([null, ''])
    expect(evidence({ kind: 'promql', expr: 'x'.repeat(2_000) })).toBeNull()
    expect(ruleUrl(PLACE, 'r 1')).toBe('https://alidade.example/base/n/prod/alerts/r%201')
  })
})
