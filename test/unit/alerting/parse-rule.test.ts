import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { NO_DATA_POLICIES, ON_ERROR_POLICIES, THRESHOLD_OPS } from '../../../src/domain/alerts/alert-rule.js'
import { GatewayError } from '../../../src/domain/errors.js'
import { parseRule } from '../../../src/alerting/evaluate/parse-rule/parse-rule.js'
import { ruleJson } from '../../../src/alerting/evaluate/parse-rule/rule-json.js'
import { readPromql, ruleOf } from '../../support/alert-rules.js'

const GOOD = { alert: 'Down', expr: 'up == 0' }
const LOGS = { alert: 'Errors', op: 'gt', threshold: 10, condition: { logs: { query: 'level:error' } } }

function errorOf(input: unknown): GatewayError {
  try {
    parseRule(input, readPromql)
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
  throw new Error('the rule was accepted')
}

describe('parseRule', () => {
  it('reads a rule of Prometheus with its defaults', () => {
    expect(parseRule(GOOD, readPromql)).toEqual(ruleOf({ name: 'Down', condition: { kind: 'promql', expr: 'up == 0' } }))
  })

  it('reads every member', () => {
    const input = {
      ...{ alert: 'Down', expr: 'up', op: 'outside', threshold: 1, upper: 5, for: '5m', keep_firing_for: '1h30m', no_data: 'ok' },
      ...{ on_error: 'firing', labels: { z: '1', a: '{{ $value }}' }, annotations: { summary: 'x' }, severity: 'critical' },
      ...{ enabled: false, runbook_url: 'https://example.org/down' }
    }
    expect(parseRule(input, readPromql)).toEqual({
      ...ruleOf({ name: 'Down', condition: { kind: 'promql', expr: 'up' }, threshold: { op: 'outside', value: 1, upper: 5 } }),
      ...{ forMs: 300_000, keepFiringForMs: 5_400_000, noData: 'ok', onError: 'firing', severity: 'critical', enabled: false },
      ...{ runbookUrl: 'https://example.org/down', annotations: [{ name: 'summary', value: 'x' }] },
      labels: [
        { name: 'a', value: '{{ $value }}' },
        { name: 'z', value: '1' }
      ]
    })
  })

  it('reads conditions on events, with a threshold and without', () => {
    const event = (sent: object, more: object = {}): unknown =>
      parseRule({ alert: 'x', condition: { event: sent }, ...more }, readPromql)
    const any = { kind: 'event', type: 'deploy', service: null, environment: null, windowMs: 300_000 }
    expect(event({ type: 'deploy' })).toMatchObject({ condition: any, threshold: null })
    expect(event({ type: 'log.gap' })).toMatchObject({ condition: { ...any, type: 'log.gap' } })
    const named = { type: 'deploy', service: 'api', environment: 'prod', window: '1h' }
    expect(event(named, { op: 'gt', threshold: 3 })).toMatchObject({
      condition: { ...any, service: 'api', environment: 'prod', windowMs: 3_600_000 },
      threshold: { op: 'gt', value: 3, upper: null }
    })
  })

  it('reads conditions on logs, spans, requests and absence', () => {
    const condition = (sent: object): unknown => parseRule({ ...LOGS, condition: sent }, readPromql).condition
    const absence = (sent: object): unknown => parseRule({ alert: 'Gone', condition: { absence: sent } }, readPromql).condition
    expect(condition({ logs: { query: 'level:error', group_by: ['service'], window: '10m' } })).toEqual({
      ...{ kind: 'logs', query: 'level:error', groupBy: ['service'], agg: 'count', field: null, windowMs: 600_000 }
    })
    expect(condition({ logs: { group_by: ['service', 'host'], agg: 'sum', field: 'bytes' } })).toEqual({
      ...{ kind: 'logs', query: '', groupBy: ['service', 'host'], agg: 'sum', field: 'bytes', windowMs: 300_000 }
    })
    expect(condition({ spans: { query: 'kind:client', group_by: ['service'], agg: 'p99', field: 'duration' } })).toEqual({
      ...{ kind: 'spans', query: 'kind:client', groupBy: ['service'], agg: 'p99', field: 'duration', windowMs: 300_000 }
    })
    expect(condition({ traces: { service: 'api', operation: 'GET /', agg: 'p99' } })).toEqual({
      ...{ kind: 'traces', service: 'api', operation: 'GET /', agg: 'p99', windowMs: 300_000 }
    })
    expect(absence({ of: 'host', for: '10m' })).toEqual({ kind: 'absence', of: { kind: 'host', host: null }, forMs: 600_000 })
    expect(absence({ of: 'service', name: 'api' })).toMatchObject({ of: { kind: 'service', service: 'api' } })
    expect(absence({ of: 'metric', query: 'up{job="api"}' })).toMatchObject({ of: { kind: 'metric', query: 'up{job="api"}' } })
    expect(absence({ of: 'logs', query: 'service:api' })).toMatchObject({ of: { kind: 'logs', query: 'service:api' } })
  })

  it.each([
    [null, '', 'must be an object, got null'],
    [[], '', 'must be an object'],
    [{ ...GOOD, record: 'x' }, 'alert', 'only one of record and alert must be set'],
    [{ expr: 'up' }, 'alert', 'one of record and alert must be set'],
    [{ ...GOOD, alert: '' }, 'alert', 'must not be empty'],
    [{ ...GOOD, alert: 'x'.repeat(257) }, 'alert', 'must not exceed 256 characters (got 257)'],
    [{ ...GOOD, nothing: 1 }, 'nothing', 'is not a known member'],
    [{ alert: 'x' }, 'expr', 'exactly one of expr and condition'],
    [{ ...GOOD, condition: {} }, 'expr', 'exactly one of expr and condition'],
    [{ ...GOOD, expr: 'up{' }, 'expr', 'could not parse expression: '],
    [{ ...GOOD, expr: ' ' }, 'expr', 'must not be empty'],
    [{ ...GOOD, expr: 'up[5m]' }, 'expr', 'results in a range vector'],
    [{ ...GOOD, for: '5 minutes' }, 'for', 'must be a duration such as "30s", "5m" or "1h30m", got "5 minutes"'],
    [{ ...GOOD, for: 300 }, 'for', 'must be a duration'],
    [{ ...GOOD, for: '32d' }, 'for', 'must not exceed 31d'],
    [{ ...GOOD, labels: { __name__: 'x' } }, 'labels', 'invalid name "__name__"'],
    [{ ...GOOD, labels: { '': 'x' } }, 'labels', 'invalid name ""'],
    [{ ...GOOD, labels: { a: 1 } }, 'labels.a', 'must be a string'],
    [{ ...GOOD, labels: [] }, 'labels', 'must be an object'],
    [
      { ...GOOD, annotations: { summary: '{{ $x }}' } },
      'annotations.summary',
      'the template is invalid: undefined variable "$x"'
    ],
    [{ ...GOOD, annotations: { a: 'x'.repeat(65_537) } }, 'annotations', 'must not exceed 65536 characters together (got 65537)'],
    [{ ...GOOD, severity: 'page' }, 'severity', 'must be one of info, warning, critical, got "page"'],
    [{ ...GOOD, runbook_url: 'javascript:alert(1)' }, 'runbook_url', 'must be an http or https URL'],
    [{ ...GOOD, threshold: 1 }, 'op', 'op and threshold must be set together'],
    [{ ...GOOD, op: 'gt', threshold: '1' }, 'threshold', 'must be a finite number'],
    [{ ...GOOD, op: 'inside', threshold: 1 }, 'upper', 'is required with op inside'],
    [{ ...GOOD, op: 'inside', threshold: 2, upper: 1 }, 'upper', 'must be at least the threshold 2 (got 1)'],
    [{ ...GOOD, op: 'gt', threshold: 2, upper: 3 }, 'upper', 'has no meaning with op gt'],
    [{ ...GOOD, for_n_of_m: [4, 3] }, 'for_n_of_m', 'must be two whole numbers'],
    [{ ...GOOD, for_n_of_m: [1, 31] }, 'for_n_of_m', 'n <= m <= 30'],
    [{ ...GOOD, for_n_of_m: [1, 2], for: '1m' }, 'for', 'has no meaning with for_n_of_m'],
    [{ record: 'a{b="c"}', expr: 'up' }, 'record', 'without braces'],
    [{ record: 'a', expr: 'up', for: '1m' }, 'for', 'has no meaning in a recording rule'],
    [{ record: 'a', expr: 'up', annotations: { a: 'b' } }, 'annotations', 'has no meaning in a recording rule'],
    [{ ...LOGS, op: undefined, threshold: undefined }, 'threshold', 'is required with a condition on logs'],
    [
      { ...LOGS, condition: { logs: {}, traces: {} } },
      'condition',
      'must have exactly one of logs, spans, traces, event, absence'
    ],
    [{ ...LOGS, condition: { logs: { query: '(' } } }, 'condition.logs.query', 'the query ends where a word is expected'],
    [{ ...LOGS, condition: { logs: { agg: 'p99' } } }, 'condition.logs.field', 'is required with agg p99'],
    [{ ...LOGS, condition: { logs: { agg: 'p99', field: 'host' } } }, 'condition.logs.field', 'host is not numeric'],
    [{ ...LOGS, condition: { logs: { field: 'took' } } }, 'condition.logs.field', 'has no meaning with count'],
    [
      { ...LOGS, condition: { logs: { agg: 'p42', field: 'took' } } },
      'condition.logs.agg',
      'must be one of count, distinct, sum'
    ],
    [{ ...LOGS, condition: { logs: { group_by: ['message'] } } }, 'condition.logs.group_by', 'cannot group logs'],
    [{ ...LOGS, condition: { logs: { group_by: ['host', 'host'] } } }, 'condition.logs.group_by', 'host is in group_by twice'],
    [
      { ...LOGS, condition: { logs: { group_by: ['a', 'b', 'c', 'd'] } } },
      'condition.logs.group_by',
      'must not exceed 3 entries'
    ],
    [
      { ...LOGS, condition: { logs: { group_by: ['host', 'pattern_id'] } } },
      'condition.logs.group_by',
      'patterns are not aggregated'
    ],
    [{ ...LOGS, condition: { spans: { query: 'duration:>5' } } }, 'condition.spans.query', 'is not a duration with a unit'],
    [{ ...LOGS, condition: { spans: { group_by: ['duration'] } } }, 'condition.spans.group_by', 'is a quantity'],
    [{ ...LOGS, condition: { spans: { service: 'api' } } }, 'condition.spans.service', 'is not a known member'],
    [{ alert: 'x', condition: { spans: {} } }, 'threshold', 'is required with a condition on spans'],
    [{ ...LOGS, condition: { logs: { window: '25h' } } }, 'condition.logs.window', 'must not exceed 1d'],
    [{ ...LOGS, condition: { traces: { operation: 'GET' } } }, 'condition.traces.service', 'is required with operation'],
    [{ alert: 'x', condition: { absence: { for: '5m' } } }, 'condition.absence.of', 'is required'],
    [{ alert: 'x', condition: { event: {} } }, 'condition.event.type', 'is required'],
    [{ alert: 'x', condition: { event: { type: 'Deploy' } } }, 'condition.event.type', 'lower-case letters'],
    [{ alert: 'x', condition: { event: { type: 'log.gaps' } } }, 'condition.event.type', 'use log.gap, or a reported type'],
    [{ alert: 'x', condition: { event: { type: 'deploy', version: '1' } } }, 'condition.event.version', 'is not a known member'],
    [
      { alert: 'x', condition: { absence: { of: 'metric', query: 'rate(x[5m])' } } },
      'condition.absence.query',
      'must be a series selector'
    ],
    [{ alert: 'x', condition: { absence: { of: 'host', query: 'x' } } }, 'condition.absence.query', 'has no meaning with of host']
  ])('refuses %j', (input, field, detail) => {
    const error = errorOf(input)
    expect(error.code).toBe('invalid_field')
    expect(error.errors).toContainEqual({ code: 'invalid_field', field, detail: expect.stringContaining(detail) })
  })

  it('reports all errors together', () => {
    const error = errorOf({ alert: '', expr: 'up{', for: 'x' })
    expect(error.errors.map(({ field }) => field)).toEqual(['alert', 'expr', 'for'])
    expect(error.field).toBe('alert')
    expect(error.message).toBe('alert: must not be empty (and 2 more)')
  })

  it('reports a field that cannot group once', () => {
    const errors = (name: string) => errorOf({ ...LOGS, condition: { spans: { group_by: [name] } } }).errors
    for (const name of ['', 'timestamp', 'duration', 'event.name']) expect(errors(name)).toHaveLength(1)
  })

  it('reads members of the object alone, not of its prototype', () => {
    expect(errorOf(Object.create(GOOD) as object).errors[0]).toMatchObject({ field: 'alert' })
    const labels = JSON.parse('{"__proto__":"x","constructor":"y"}') as Record<string, string>
    expect(parseRule({ ...GOOD, labels }, readPromql).labels).toEqual([
      { name: '__proto__', value: 'x' },
      { name: 'constructor', value: 'y' }
    ])
  })

  it('takes the bounds of lists and refuses one more', () => {
    const labels = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, i) => [`l${i}`, 'x']))
    expect(parseRule({ ...GOOD, labels: labels(64) }, readPromql).labels).toHaveLength(64)
    expect(errorOf({ ...GOOD, labels: labels(65) }).message).toContain('must not exceed 64 entries (got 65)')
    expect(parseRule({ ...GOOD, for_n_of_m: [30, 30] }, readPromql).forNOfM).toEqual([30, 30])
  })
})

describe('ruleJson', () => {
  it('writes what parseRule reads', () => {
    const ms = fc.integer({ min: 0, max: 31 * 86_400_000 })
    const rules = fc.record({
      name: fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }),
      threshold: fc.option(
        fc.record({ op: fc.constantFrom(...THRESHOLD_OPS.slice(0, 6)), value: fc.integer(), upper: fc.constant(null) })
      ),
      forMs: ms,
      keepFiringForMs: ms,
      noData: fc.constantFrom(...NO_DATA_POLICIES),
      onError: fc.constantFrom(...ON_ERROR_POLICIES),
      severity: fc.constantFrom(null, 'info' as const, 'critical' as const),
      enabled: fc.boolean(),
      condition: fc.constantFrom(
        { kind: 'promql' as const, expr: 'sum(x)' },
        { kind: 'absence' as const, of: { kind: 'host' as const, host: null }, forMs: 60_000 },
        { kind: 'absence' as const, of: { kind: 'logs' as const, query: 'a' }, forMs: 60_000 },
        { kind: 'event' as const, type: 'deploy', service: null, environment: 'prod', windowMs: 60_000 }
      )
    })
    fc.assert(
      fc.property(rules, members => {
        const rule = ruleOf({ ...members, threshold: members.condition.kind === 'promql' ? members.threshold : null })
        const sent: unknown = JSON.parse(JSON.stringify(ruleJson(rule)))
        expect(parseRule(sent, readPromql)).toEqual(rule)
      })
    )
  })
})
