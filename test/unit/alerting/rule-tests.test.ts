import { describe, expect, it } from '@jest/globals'
import { readRuleFile } from '../../../src/alerting/rule-files/read-rule-file.js'
import { InlinePromql } from '../../../src/alerting/rule-tests/inline-promql.js'
import { RuleTests } from '../../../src/alerting/rule-tests/rule-tests.js'
import { readSeriesName, readSeriesValues } from '../../../src/alerting/rule-tests/series-notation.js'
import { readTestFile } from '../../../src/alerting/rule-tests/test-file.js'
import { DEFAULT_QUERY_SETTINGS } from '../../../src/query/settings.js'
import { systemClock } from '../../../src/telemetry/system-clock.js'
import { readPromql } from '../../support/alert-rules.js'
import { SILENT_LOGGER } from '../../support/quiet-jobs.js'

const NEVER = new AbortController().signal
const RULES = `
groups:
- name: alerts
  rules:
  - alert: InstanceDown
    expr: up == 0
    for: 5m
    labels: {severity: page}
    annotations:
      summary: "Instance {{ $labels.instance }} down in {{ $externalLabels.region }} at {{ $externalURL }}"
  - alert: AlwaysFiring
    expr: "1"
- name: records
  rules:
  - record: job:up:sum
    expr: sum by (job) (up)
    labels: {made: here}
`

async function run(tests: string, rules = RULES): Promise<readonly string[]> {
  const { file, errors } = readTestFile(tests)
  if (errors.length > 0) return errors.map(({ line, message }) => `${line}: ${message}`)
  const { groups, errors: ofRules } = readRuleFile(rules, readPromql)
  expect(ofRules).toEqual([])
  const bench = { threads: new InlinePromql(), settings: DEFAULT_QUERY_SETTINGS, clock: systemClock, logger: SILENT_LOGGER }
  return new RuleTests(bench).run(file, groups, NEVER)
}

const SERIES = `
  input_series:
  - series: 'up{job="prometheus", instance="localhost:9090"}'
    values: '0x15'
  - series: 'up{job="prometheus", instance="localhost:9091"}'
    values: '1+0x6 0x10'
`

/** A test over `SERIES`, with these lines. */
function withSeries(...lines: readonly string[]): string {
  return [
    'rule_files: [rules.yml]',
    'tests:',
    '- interval: 1m',
    SERIES.trimEnd().slice(1),
    '  external_labels: {region: eu}',
    '  external_url: https://example.org',
    ...lines.map(line => `  ${line}`)
  ].join('\n')
}

describe('unit tests of rules', () => {
  it('pass when exactly the expected alerts fire', async () => {
    const alert = (instance: string): string =>
      `{exp_labels: {severity: page, job: prometheus, instance: "${instance}"}, exp_annotations: {summary: "Instance ${instance} down in eu at https://example.org"}}`
    const tests = withSeries(
      'alert_rule_test:',
      '- {eval_time: 4m59s, alertname: InstanceDown, exp_alerts: []}',
      `- {eval_time: 5m, alertname: InstanceDown, exp_alerts: [${alert('localhost:9090')}]}`,
      `- {eval_time: 12m30s, alertname: InstanceDown, exp_alerts: [${alert('localhost:9091')}, ${alert('localhost:9090')}]}`,
      '- {eval_time: 0m, alertname: AlwaysFiring, exp_alerts: [{}]}',
      '- {eval_time: 0m, alertname: Unknown, exp_alerts: []}'
    )
    expect(await run(tests)).toEqual([])
  })

  it('fail with what was expected and what fires', async () => {
    const tests = withSeries(
      'name: one',
      'alert_rule_test:',
      '- {eval_time: 5m, alertname: AlwaysFiring, exp_alerts: []}',
      '- {eval_time: 1m, alertname: InstanceDown, exp_alerts: [{exp_labels: {a: b}}]}'
    )
    const failures = await run(tests)
    expect(failures).toHaveLength(2)
    expect(failures.join('\n')).toContain('name: one,\n    alertname: AlwaysFiring, time: 5m,\n        exp:[],\n        got:[')
    expect(failures.join('\n')).toContain('Labels:{a="b", alertname="InstanceDown"}')
  })

  it('see series, recorded series, ALERTS and ALERTS_FOR_STATE', async () => {
    const tests = withSeries(
      'promql_expr_test:',
      '- expr: job:up:sum',
      '  eval_time: 3m',
      `  exp_samples: [{labels: 'job:up:sum{job="prometheus", made="here"}', value: 1}]`,
      '- expr: ALERTS{alertname="InstanceDown"}',
      '  eval_time: 3m',
      `  exp_samples: [{labels: 'ALERTS{alertname="InstanceDown", alertstate="pending", instance="localhost:9090", job="prometheus", severity="page"}', value: 1}]`,
      '- expr: count(ALERTS{alertstate="firing"})',
      '  eval_time: 12m',
      '  exp_samples: [{labels: "{}", value: 3}]',
      '- expr: count(ALERTS{alertstate="pending"})',
      '  eval_time: 12m',
      '  exp_samples: []',
      '- expr: ALERTS_FOR_STATE{instance="localhost:9091"}',
      '  eval_time: 12m',
      `  exp_samples: [{labels: 'ALERTS_FOR_STATE{alertname="InstanceDown", instance="localhost:9091", job="prometheus", severity="page"}', value: 420}]`
    )
    expect(await run(tests)).toEqual([])
  })

  it('end series that a rule does not write any more', async () => {
    const tests = `
tests:
- input_series: [{series: x, values: '1 1 _ _ _'}]
  promql_expr_test:
  - {expr: y, eval_time: 1m, exp_samples: [{labels: y, value: 1}]}
  - {expr: y, eval_time: 3m, exp_samples: []}`
    const rules = 'groups: [{name: g, rules: [{record: y, expr: "last_over_time(x[1m30s])"}]}]'
    expect(await run(tests, rules)).toEqual([])
  })

  it('evaluate groups in their order, from the start time', async () => {
    const rules = 'groups: [{name: second, rules: [{record: b, expr: a * 2}]}, {name: first, rules: [{record: a, expr: time()}]}]'
    const tests = (order: string, expected: string): string => `
group_eval_order: ${order}
tests:
- start_timestamp: 1970-01-01T01:00:00Z
  promql_expr_test: [{expr: b, eval_time: 0, exp_samples: ${expected}}]`
    expect(await run(tests('[first, second]', '[{labels: b, value: 7200}]'), rules)).toEqual([])
    expect(await run(tests('[second, first]', '[]'), rules)).toEqual([])
  })

  it('fail when a rule cannot be evaluated', async () => {
    const tests =
      "tests: [{input_series: [{series: 'x{a=\"1\"}', values: '1'}, {series: 'x{a=\"2\"}', values: '1'}], alert_rule_test: [{eval_time: 0, alertname: A}]}]"
    const failures = await run(tests, 'groups: [{name: g, rules: [{alert: A, expr: x, labels: {a: ""}}]}]')
    expect(failures).toEqual([expect.stringMatching(/rule: A, time: 0s, err: vector contains metrics with the same labelset/)])
  })

  it('compare numbers exactly, or up to their last bit', async () => {
    const tests = (fuzzy: boolean): string => `
fuzzy_compare: ${fuzzy}
tests: [{promql_expr_test: [{expr: '0.1 + 0.2', eval_time: 0, exp_samples: [{value: 0.3}]}, {expr: 'vector(NaN)', eval_time: 0, exp_samples: [{value: .nan}]}]}]`
    expect(await run(tests(false))).toEqual([expect.stringContaining('exp: {} 0.3\n        got: {} 0.30000000000000004')])
    expect(await run(tests(true))).toEqual([])
  })

  it.each([
    ['tests: [{alert_rule_test: [{eval_time: 0}]}]', 'misses required attribute alertname'],
    ['group_eval_order: [a, a]', 'group name repeated in evaluation order: a'],
    ['tests: [{nothing: 1}]', 'field nothing not found'],
    [
      `tests: [{input_series: [${Array.from({ length: 6 }, (_, i) => `{series: x${i}, values: 1x99999}`).join(', ')}]}]`,
      'must not exceed 500000 values'
    ],
    ['tests: [{start_timestamp: soon}]', '"soon" is not a time'],
    ["tests: [{input_series: [{series: 'x{', values: '1'}]}]", 'cannot read the series'],
    ["tests: [{input_series: [{series: 'x{a=~\"b\"}', values: '1'}]}]", 'is not a series'],
    ["tests: [{input_series: [{series: x, values: '1 b'}]}]", '"b" is not a value of a series'],
    ["tests: [{promql_expr_test: [{expr: 'x{', eval_time: 0}]}]", 'err: '],
    ['evaluation_interval: 1s\ntests: [{promql_expr_test: [{expr: x, eval_time: 30h}]}]', 'must not exceed 100000 evaluations']
  ])('%s fails', async (tests, message) => {
    expect((await run(tests)).join('\n')).toContain(message)
  })

  it('have no logs and spans', async () => {
    const rules = 'groups: [{name: g, rules: [{alert: A, condition: {logs: {}}, op: gt, threshold: 1}]}]'
    expect((await run('tests: [{alert_rule_test: [{eval_time: 10m, alertname: A}]}]', rules)).join()).toContain(
      'they have no logs and spans'
    )
  })
})

describe('the notation of series', () => {
  it.each([
    ['1 2.5 -3 1e3 .5', [1, 2.5, -3, 1_000, 0.5]],
    ['1+2x3', [1, 3, 5, 7]],
    ['10-2x2', [10, 8, 6]],
    ['5x2', [5, 5, 5]],
    ['0x2', [0, 0, 0]],
    ['_ _x2 stale', [null, null, null, 'stale']],
    ['stalex1', ['stale', 'stale']],
    ['Inf -Inf', [Infinity, -Infinity]],
    ['1e+2+1x1', [100, 101]],
    ['', []]
  ])('%s', (text, values) => {
    expect(readSeriesValues(text)).toEqual(values)
  })

  it('is bounded', () => {
    expect(readSeriesValues('1x99999')).toHaveLength(100_000)
    expect(() => readSeriesValues('1x100000')).toThrow('must not exceed 100000 values')
    expect(() => readSeriesValues('1x999999999999')).toThrow('exceeds the limit of 100000 values')
    expect(() => readSeriesValues('_x100001')).toThrow('exceeds the limit')
    expect(() => readSeriesValues('{{count:1}}')).toThrow('native histograms are not supported')
  })

  it('names series with and without a metric', () => {
    expect(readSeriesName('up{b="2", a="1", c=""}', readPromql)).toEqual({
      name: 'up',
      labels: [
        { name: 'a', value: '1' },
        { name: 'b', value: '2' }
      ]
    })
    expect(readSeriesName('{}', readPromql)).toEqual({ name: '', labels: [] })
  })
})
