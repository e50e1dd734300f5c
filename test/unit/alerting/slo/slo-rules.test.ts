import { describe, expect, it } from '@jest/globals'
import { parseRule } from '../../../../src/alerting/evaluate/parse-rule/parse-rule.js'
import { ruleJson } from '../../../../src/alerting/evaluate/parse-rule/rule-json.js'
import { parseSlo } from '../../../../src/alerting/slo/parse-slo.js'
import { sloDocument } from '../../../../src/alerting/slo/slo-json.js'
import { errorBudget, sloGroup, sloRules } from '../../../../src/alerting/slo/slo-rules.js'
import { readPromql } from '../../../support/alert-rules.js'

const GOOD = {
  name: 'checkout',
  service: 'shop',
  objective: 99.9,
  indicator: { ratio: { bad: 'errors_total', total: 'requests_total' } }
}
const IDENTITY = { id: 'x"y', revision: 3 }

function faultsOf(input: unknown): readonly string[] {
  try {
    parseSlo(input, readPromql)
    return []
  } catch (error) {
    return (error as { errors: readonly { field: string; detail: string }[] }).errors.map(
      ({ field, detail }) => `${field}: ${detail}`
    )
  }
}

describe('an SLO', () => {
  it('has defaults, and is read again from what is shown of it', () => {
    const slo = parseSlo(GOOD, readPromql)
    expect(slo).toMatchObject({ windowMs: 28 * 86_400_000, alerts: ['page', 'ticket'], minEvents: 10, enabled: true })
    const all = {
      ...GOOD,
      window: '7d',
      alerts: ['ticket'],
      labels: { team: 'a' },
      page_labels: { p: 'q' },
      runbook_url: 'https://x/y'
    }
    for (const input of [GOOD, all, { ...GOOD, indicator: { latency: { operation: 'GET /', threshold_ms: 250 } } }]) {
      const parsed = parseSlo(input, readPromql)
      expect(parseSlo(sloDocument(parsed), readPromql)).toEqual(parsed)
    }
  })

  it.each<[object, string]>([
    [{ name: ' ' }, 'name: must not be empty'],
    [{ name: '{{ $value }}' }, 'name: must not contain {{'],
    [{ name: 'x'.repeat(121) }, 'name: must not exceed 120 characters (got 121)'],
    [{ service: null }, 'service: is required'],
    [{ objective: 89.9 }, 'objective: must be a percentage from 90 to 99.999 (got 89.9)'],
    [{ objective: 100 }, 'objective: must be a percentage from 90 to 99.999 (got 100)'],
    [{ window: '14d' }, 'window: must be one of 7d, 28d, 30d'],
    [{ alerts: ['pager'] }, 'alerts: must only contain page and ticket (got "pager")'],
    [{ min_events: -1 }, 'min_events: must be a whole number from 0 to 1000000000 (got -1)'],
    [{ labels: { slo: 'x' } }, 'labels.slo: is set by the SLO'],
    [{ labels: { team: '{{ end }}' } }, 'labels.team: the template is invalid'],
    [{ annotations: { summary: '{{ if }}' } }, 'annotations.summary: the template is invalid'],
    [{ indicator: { ratio: { total: 'a' } } }, 'indicator.ratio.bad: exactly one of good and bad must be set'],
    [{ indicator: { ratio: { bad: 'a{', total: 'a' } } }, 'indicator.ratio.bad: could not parse expression'],
    [{ indicator: { latency: { operation: 'x', threshold_ms: 300 } } }, 'indicator.latency.threshold_ms: must be one of 5, 10'],
    [{ indicator: {} }, 'indicator: must have exactly one of ratio, availability, latency'],
    [{ target: 1 }, 'target: is not a known member']
  ])('%j is refused', (changes, fault) => {
    expect(faultsOf({ ...GOOD, ...changes }).some(found => found.startsWith(fault))).toBe(true)
  })

  it('reports all errors at once', () => {
    expect(faultsOf({ ...GOOD, objective: 10, window: '1d' })).toHaveLength(2)
  })

  it('accepts the bounds', () => {
    for (const objective of [90, 99.999]) expect(faultsOf({ ...GOOD, objective, name: 'x'.repeat(120) })).toEqual([])
  })

  it('has a budget without binary noise', () => {
    expect([99.9, 99.99, 99.999, 95, 99.5].map(objective => errorBudget({ objective }))).toEqual([
      0.001, 0.0001, 0.00001, 0.05, 0.005
    ])
  })
})

describe('rules of an SLO', () => {
  it('record events and compare burn rates of two windows', () => {
    const rules = sloRules(parseSlo(GOOD, readPromql), IDENTITY, readPromql)
    expect(rules.map(({ kind, name, threshold, severity, noData }) => [kind, name, threshold?.value, severity, noData])).toEqual([
      ['record', 'slo:events:increase5m', undefined, null, 'nodata'],
      ['alert', 'checkout page 1h', 14.4, 'critical', 'keep'],
      ['alert', 'checkout page 6h', 6, 'critical', 'keep'],
      ['alert', 'checkout ticket 1d', 3, 'warning', 'keep'],
      ['alert', 'checkout ticket 3d', 1, 'warning', 'nodata']
    ])
    expect(rules[0]!.condition).toEqual({
      kind: 'promql',
      expr: 'label_replace(sum(increase(errors_total[5m])) or 0 * sum(increase(requests_total[5m])), "sli", "bad", "", "") or label_replace(sum(increase(requests_total[5m])), "sli", "total", "", "")'
    })
    for (const rule of rules) expect(parseRule(ruleJson(rule), readPromql)).toEqual(rule)
  })

  it('are those of the alerts that it has', () => {
    const names = (input: object): readonly string[] =>
      sloRules(parseSlo({ ...GOOD, ...input }, readPromql), IDENTITY, readPromql).map(({ name }) => name)
    expect(names({ alerts: ['page'] })).toEqual(['slo:events:increase5m', 'checkout page 1h', 'checkout page 6h'])
    expect(names({ alerts: [] })).toEqual(['slo:events:increase5m'])
  })

  it('have labels of the SLO under those of the kind of alert', () => {
    const input = { ...GOOD, labels: { team: 'a', tier: '1' }, page_labels: { team: 'b', severity: 'sev1' } }
    const [, page, , ticket] = sloRules(parseSlo(input, readPromql), IDENTITY, readPromql)
    const labels = (rule: typeof page): object => Object.fromEntries(rule!.labels.map(({ name, value }) => [name, value]))
    expect(labels(page)).toEqual({ team: 'b', tier: '1', severity: 'sev1', slo: 'checkout', service: 'shop', window: '1h' })
    expect(labels(ticket)).toEqual({ team: 'a', tier: '1', slo: 'checkout', service: 'shop', window: '1d' })
  })

  it('read spans as of 15 s before', () => {
    const offsets = [GOOD, { ...GOOD, indicator: { availability: {} } }].map(
      input => sloGroup(parseSlo(input, readPromql)).queryOffsetMs
    )
    expect(offsets).toEqual([null, 15_000])
  })
})
