import { describe, expect, it } from '@jest/globals'
import { completionAt } from '../../../console/src/metrics/completion.js'
import { formatSample } from '../../../console/src/format/measured.js'
import { namedLines } from '../../../console/src/metrics/named-lines.js'
import { readExemplars } from '../../../console/src/metrics/read-exemplars.js'
import { firstExpression, promqlOf, withQuotedName } from '../../../console/src/metrics/selector.js'
import { selector } from '../../../console/src/query/promql-selector.js'

describe('selectors', () => {
  it('keep names with dots', () => {
    expect(selector('up')).toBe('up')
    expect(selector('system.cpu.usage')).toBe('{"system.cpu.usage"}')
    expect(selector('up', [{ label: 'host', op: '=~', value: 'web.*' }])).toBe('up{host=~"web.*"}')
    expect(selector('a.b', [{ label: 'host.name', op: '!=', value: 'x' }])).toBe('{"a.b", "host.name"!="x"}')
  })

  it('cannot be left by a value', () => {
    expect(selector('up', [{ label: 'path', op: '=', value: 'a"} or vector(1) #\\\n' }])).toBe(
      String.raw`up{path="a\"} or vector(1) #\\\n"}`
    )
  })

  it('begin with what suits the kind of a metric', () => {
    expect(firstExpression('http.requests', 'COUNTER')).toBe('rate({"http.requests"}[5m])')
    expect(firstExpression('queue', 'GAUGE')).toBe('queue')
    expect(firstExpression('took_bucket', 'COUNTER')).toBe('histogram_quantile(0.95, sum by (le) (rate(took_bucket[5m])))')
  })

  it('are aggregated by labels', () => {
    const choice = { metric: 'a.b', matchers: [], by: ['service', 'host.name'] }
    expect(promqlOf({ ...choice, seriesFunction: 'rate', aggregation: 'sum' })).toBe(
      'sum by (service, "host.name") (rate({"a.b"}[5m]))'
    )
    expect(promqlOf({ ...choice, seriesFunction: 'p99', aggregation: 'none' })).toBe(
      'histogram_quantile(0.99, sum by (le, service, "host.name") (rate({"a.b"}[5m])))'
    )
  })

  it('replace a bare name with dots', () => {
    expect(withQuotedName('rate(system.cpu.usage[5m])')).toBe('rate({"system.cpu.usage"}[5m])')
    expect(withQuotedName('{"system.cpu.usage"}')).toBeNull()
    expect(withQuotedName('rate(up[1.5h]) > 0.5')).toBeNull()
  })
})

describe('completion', () => {
  const at = (text: string): object | null => completionAt(text, text.length)

  it.each([
    ['sum(rate(htt', { kind: 'metric', prefix: 'htt', isQuoted: false }],
    ['{"system.cp', { kind: 'metric', prefix: 'system.cp', isQuoted: true }],
    ['up{ho', { kind: 'label', prefix: 'ho', metric: 'up' }],
    ['up{host="a", ', { kind: 'label', prefix: '', metric: 'up' }],
    ['{"a.b", se', { kind: 'label', prefix: 'se', metric: 'a.b' }]
  ])('at the end of %s', (text, expected) => {
    expect(at(text)).toMatchObject(expected)
  })

  it.each(['up{host="we', 'rate(up[5', '"text'])('is not offered at the end of %s', text => {
    expect(at(text)).toBeNull()
  })
})

describe('exemplars', () => {
  it('are those that name a trace, latest first', () => {
    const body = {
      data: [
        {
          seriesLabels: { __name__: 'took' },
          exemplars: [
            { labels: { trace_id: '0af7651916cd43dd8448eb211c80319c' }, value: '1', timestamp: 1_000.5 },
            { labels: { trace_id: 'javascript:alert(1)' }, value: '2', timestamp: 1_001 },
            { labels: { traceID: '0af7651916cd43dd' }, value: '3', timestamp: 1_002 },
            { labels: {}, value: '4', timestamp: 1_003 }
          ]
        }
      ]
    }
    expect(readExemplars(body).map(({ value, time }) => [value, time])).toEqual([
      ['3', '1970-01-01T00:16:42.000Z'],
      ['1', '1970-01-01T00:16:40.500Z']
    ])
    expect(readExemplars(null)).toEqual([])
  })
})

it('formats samples of any size', () => {
  expect(formatSample(0)).toBe('0')
  expect(formatSample(1_234)).toBe('1.23K')
  expect(formatSample(0.000_000_25)).toBe('2.5e-7')
})

it('names series without labels by their expression, and keeps the keys of all apart', () => {
  const grid = { start: '2026-11-23T00:00:00Z', stepMs: 60_000, length: 1 }
  const stats = { complete: true, warnings: [], tookMs: 1 }
  const line = (legend: string) => ({
    legend,
    metric: legend.startsWith('b') ? 'b' : null,
    min: 1,
    max: 1,
    avg: 1,
    last: 1,
    values: [1]
  })
  const matrix = (legends: readonly string[], length = 1) => {
    return { __typename: 'PromMatrix' as const, grid: { ...grid, length }, series: legends.map(line), stats }
  }
  const lines = namedLines([
    { expression: 'sum(a)', matrix: matrix(['']) },
    { expression: 'b', matrix: matrix(['b{x=1}', 'b{x=2}']) },
    { expression: 'b', matrix: matrix(['b{x=1}', '{y=2}']) },
    { expression: 'c', matrix: matrix(['c'], 2) }
  ])
  expect(lines.map(({ name }) => name)).toEqual(['sum(a)', 'b{x=1}', 'b{x=2}', 'b{x=1}', 'b {y=2}'])
  expect(new Set(lines.map(({ key }) => key)).size).toBe(5)
})
