import { describe, expect, it } from '@jest/globals'
import { readSloFile } from '../../../../src/alerting/slo-files/read-slo-file.js'
import { readPromql } from '../../../support/alert-rules.js'

/** The first example of Sloth's documentation. */
const SLOTH = `
version: "prometheus/v1"
service: "myservice"
labels:
  owner: "myteam"
  tier: 2
slos:
  - name: "requests-availability"
    objective: 99.9
    description: "Common SLO based on availability for HTTP request responses."
    sli:
      events:
        error_query: sum(rate(http_request_duration_seconds_count{job="myservice",code=~"(5..|429)"}[{{.window}}]))
        total_query: sum(rate(http_request_duration_seconds_count{job="myservice"}[{{.window}}]))
    alerting:
      name: MyServiceHighErrorRate
      labels:
        category: "availability"
      annotations:
        summary: "High error rate on 'myservice' requests responses"
      page_alert:
        labels:
          severity: pageteam
      ticket_alert:
        disable: true
`
const OPENSLO = `
apiVersion: openslo/v1
kind: SLI
metadata: {name: errors}
spec:
  ratioMetric:
    counter: true
    bad: {metricSource: {type: Prometheus, spec: {query: 'http_requests_total{code=~"5.."}'}}}
    total: {metricSource: {metricSourceRef: prom, spec: {query: 'sum(http_requests_total)'}}}
---
apiVersion: openslo/v1
kind: SLO
metadata:
  name: web-availability
  displayName: Web
  labels: {team: web, many: [a, b]}
spec:
  service: web
  indicatorRef: errors
  timeWindow: [{duration: 4w, isRolling: true}]
  budgetingMethod: Occurrences
  objectives: [{displayName: Good, target: 0.995}]
---
apiVersion: openslo/v1
kind: AlertPolicy
metadata: {name: fast}
---
`

function read(text: string) {
  return readSloFile(text, readPromql)
}

describe('a file of SLOs', () => {
  it('of Sloth is read with the names that it gives', () => {
    const { slos, errors, ignored } = read(SLOTH)
    expect(errors).toEqual([])
    expect(slos).toHaveLength(1)
    expect(slos[0]).toMatchObject({
      ...{ name: 'myservice-requests-availability', service: 'myservice', objective: 99.9, windowMs: 30 * 86_400_000 },
      ...{ alerts: ['page'], minEvents: 0, pageLabels: [{ name: 'severity', value: 'pageteam' }] },
      labels: [
        { name: 'category', value: 'availability' },
        { name: 'owner', value: 'myteam' },
        { name: 'tier', value: '2' }
      ]
    })
    expect(ignored).toEqual(['slos[0].alerting.name'])
  })

  it('of OpenSLO is read over all of its documents', () => {
    const { slos, errors, ignored } = read(OPENSLO)
    expect(errors).toEqual([])
    expect(slos).toHaveLength(1)
    expect(slos[0]).toMatchObject({
      ...{ name: 'web-availability', service: 'web', objective: 99.5, windowMs: 28 * 86_400_000, minEvents: 0 },
      indicator: { kind: 'ratio', good: null, bad: 'http_requests_total{code=~"5.."}', total: 'sum(http_requests_total)' },
      labels: [{ name: 'team', value: 'web' }]
    })
    expect(ignored).toEqual([
      'documents[1].metadata.displayName',
      'spec.ratioMetric.total.metricSource.metricSourceRef',
      'documents[1].metadata.labels.many',
      'documents[2] of kind AlertPolicy'
    ])
  })

  it('names members of an indicator without a meaning, once for all SLOs that refer to it', () => {
    const [sli, slo] = OPENSLO.split('---')
    const indicator = sli!
      .replace('spec:', 'spec:\n  unit: requests')
      .replace("spec: {query: 'http_requests_total", "spec: {range: 5m, query: 'http_requests_total")
    const file = [indicator, slo!, slo!.replace('web-availability', 'other')].join('---')
    const { slos, errors, ignored } = read(file)
    expect([slos.length, errors]).toEqual([2, []])
    expect(ignored.filter(path => path.startsWith('spec'))).toEqual([
      ...['spec.unit', 'spec.ratioMetric.bad.metricSource.spec.range', 'spec.ratioMetric.total.metricSource.metricSourceRef']
    ])
  })

  it.each<[string, string, string]>([
    [SLOTH, '99.9', 'slos[0].objective: must be a percentage'],
    [SLOTH, 'sum(rate(http_request_duration_seconds_count{job="myservice"}[{{.window}}]))', 'slos[0].sli.events.total_query: '],
    [SLOTH, 'events:', 'slos[0].sli.raw: is not supported'],
    [SLOTH, 'pageteam', 'slos[0].alerting.page_alert.labels.severity: the template is invalid'],
    [SLOTH, 'category:', 'slos[0].labels.slo: is set by the SLO'],
    [SLOTH, 'prometheus/v1', 'version: must be prometheus/v1'],
    [OPENSLO, 'indicatorRef: errors', 'documents[1].spec.indicatorRef: names "none"'],
    [OPENSLO, 'duration: 4w', 'documents[1].spec.timeWindow[0].duration: must be a duration'],
    [OPENSLO, 'isRolling: true', 'documents[1].spec.timeWindow[0].isRolling: must be true'],
    [OPENSLO, 'Occurrences', 'documents[1].spec.budgetingMethod: must be Occurrences'],
    [OPENSLO, 'target: 0.995', 'documents[1].spec.objectives[0].target: must be a percentage'],
    [OPENSLO, 'type: Prometheus', 'metricSource.type: must be Prometheus'],
    [OPENSLO, 'counter: true', 'spec.ratioMetric.counter: must be true']
  ])('%# reports the path of an error', (file, part, message) => {
    const wrong: Readonly<Record<string, string>> = {
      '99.9': '12',
      'events:': 'raw:',
      pageteam: '"{{ if }}"',
      'category:': 'slo:',
      'prometheus/v1': 'prometheus/v2',
      'indicatorRef: errors': 'indicatorRef: none',
      'duration: 4w': 'duration: 1M',
      'isRolling: true': 'isRolling: false',
      Occurrences: 'Timeslices',
      'target: 0.995': 'target: 0.5',
      'type: Prometheus': 'type: Datadog',
      'counter: true': 'counter: false'
    }
    const { errors } = read(file.replace(part, wrong[part] ?? 'up{'))
    expect(errors.map(error => error.message).join('\n')).toContain(message)
    expect(errors[0]!.line).toBeGreaterThan(0)
  })

  it.each<[string, string]>([
    ['', 'the file has no SLO'],
    ['a: [', 'yaml: '],
    ['- a', 'must be an object'],
    ['x: 1', 'apiVersion: must be openslo/v1, or version prometheus/v1'],
    ['version: prometheus/v1\nservice: a\nslos: {}', 'slos: must be a list of objects'],
    [
      `version: prometheus/v1\nservice: a\nslos: [${Array.from({ length: 51 }, () => '{}').join(',')}]`,
      'must not exceed 50 entries (got 51)'
    ],
    [`${SLOTH}${SLOTH.slice(SLOTH.indexOf('  - name'))}`, 'the SLO "myservice-requests-availability" is repeated'],
    [`a: &a [x]\nb: [${Array.from({ length: 101 }, () => '*a').join(',')}]`, 'must not exceed 100 aliases'],
    [`version: ${'['.repeat(20)}${']'.repeat(20)}`, 'must not nest deeper than 16 levels'],
    ['x'.repeat(512 * 1024 + 1), 'a file must not exceed 524288 bytes']
  ])('%# without SLOs is refused', (text, message) => {
    expect(
      read(text)
        .errors.map(error => error.message)
        .join('\n')
    ).toContain(message)
  })
})
