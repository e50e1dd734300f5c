import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { readRuleFile } from '../../../src/alerting/rule-files/read-rule-file.js'
import { MAX_FILE_BYTES } from '../../../src/alerting/rule-files/yaml-node.js'
import { writeRuleFile } from '../../../src/alerting/rule-files/write-rule-file.js'
import { labelsOf, readPromql, ruleOf } from '../../support/alert-rules.js'

function read(text: string): ReturnType<typeof readRuleFile> {
  return readRuleFile(text, readPromql)
}

/** A file with one group of one rule, whose members these are. */
function withRule(...lines: readonly string[]): string {
  const [first = '', ...others] = lines
  return ['groups:', '- name: g', '  rules:', `  - ${first}`, ...others.map(line => `    ${line}`)].join('\n')
}

const GOOD = `
groups:
  - name: my-group
    interval: 30s
    limit: 5
    query_offset: 1m30s
    labels: {team: t, severity: info}
    rules:
      - alert: HighErrors
        expr: |
          sum without(instance) (rate(errors_total[5m]))
            / sum without(instance) (rate(requests_total[5m])) > 0.5
        for: 5m
        keep_firing_for: 10m
        labels:
          severity: critical
          port: 5
          enabled: true
        annotations:
          description: "value {{ $value | humanizePercentage }}"
      - record: new_metric
        expr: sum(errors_total)
        labels: {abc: edf}
`

describe('rule files that promtool accepts', () => {
  it('become groups of rules, group labels below those of the rule', () => {
    const { groups, errors } = read(GOOD)
    expect(errors).toEqual([])
    expect(groups).toMatchObject([{ name: 'my-group', intervalMs: 30_000, limit: 5, queryOffsetMs: 90_000 }])
    const [alert, record] = groups[0]!.rules
    expect(alert).toMatchObject({
      ...{ kind: 'alert', name: 'HighErrors', forMs: 300_000, keepFiringForMs: 600_000, severity: null, threshold: null },
      labels: labelsOf({ severity: 'critical', port: '5', enabled: 'true', team: 't' }),
      annotations: labelsOf({ description: 'value {{ $value | humanizePercentage }}' })
    })
    expect(record).toMatchObject({
      kind: 'record',
      name: 'new_metric',
      labels: labelsOf({ abc: 'edf', team: 't', severity: 'info' })
    })
  })

  it.each([
    ['an empty file', '', 0],
    ['no groups', 'groups: []', 0],
    ['null groups', 'groups:', 0],
    ['a group without rules', 'groups: [{name: a}]', 1],
    ['JSON', '{"groups": [{"name": "a", "rules": [{"alert": "x", "expr": "1"}]}]}', 1],
    ['anchors and merge keys', 'groups:\n- &g\n  name: a\n  rules: []\n- <<: *g\n  name: b', 2],
    ['a second document, which is not read', 'groups: [{name: a}]\n---\nfoo: bar', 1],
    ['a duration of 0 without unit', withRule('alert: x', 'expr: up', 'for: 0'), 1],
    ['comments and quoted names', 'groups:\n# c\n- name: "a b: c"\n', 1],
    ['a limit as a float', 'groups: [{name: a, limit: 5e1}]', 1],
    ['a name of any UTF-8', withRule('record: "größe.total"', 'expr: up', 'labels: {"ü.x": y}'), 1]
  ])('%s', (_, text, count) => {
    const { groups, errors } = read(text)
    expect(errors).toEqual([])
    expect(groups).toHaveLength(count)
  })
})

// The invalid files of rulefmt_test.go, restated.
describe('rule files that promtool refuses', () => {
  it.each([
    ['a repeated group', 'groups:\n- name: a\n- name: a', 3, 'groupname: "a" is repeated in the same file'],
    ['a group without a name', 'groups:\n- rules: []', 2, 'Groupname must not be empty'],
    ['an invalid expression', withRule('alert: x', 'expr: up[5m'), 4, 'could not parse expression: '],
    ['record and alert', withRule('record: x', 'alert: y', 'expr: up'), 4, "only one of 'record' and 'alert' must be set"],
    ['neither of them', withRule('expr: up'), 4, "one of 'record' or 'alert' must be set"],
    ['no expression', withRule('record: x'), 4, "field 'expr' must be set in rule"],
    ['a label __name__', withRule('alert: x', 'expr: up', 'labels: {__name__: a}'), 4, 'invalid label name: __name__'],
    ['a label without a name', withRule('alert: x', 'expr: up', 'labels: {"": a}'), 4, 'invalid label name: '],
    ['an annotation without a name', withRule('alert: x', 'expr: up', 'annotations: {"": a}'), 4, 'invalid annotation name: '],
    ['braces in the name of a record', withRule('record: "x{a=1}"', 'expr: up'), 4, 'braces present in the recording rule name'],
    [
      'annotations of a record',
      withRule('record: x', 'expr: up', 'annotations: {a: b}'),
      4,
      "invalid field 'annotations' in recording rule"
    ],
    ['`for` of a record', withRule('record: x', 'expr: up', 'for: 1m'), 4, "invalid field 'for' in recording rule"],
    [
      'keep_firing_for of a record',
      withRule('record: x', 'expr: up', 'keep_firing_for: 1m'),
      4,
      "invalid field 'keep_firing_for' in recording rule"
    ],
    [
      'a template that is invalid',
      withRule('alert: x', 'expr: up', 'annotations: {a: "{{ $nothing }}"}'),
      4,
      'annotation "a": undefined variable "$nothing"'
    ],
    ['an unknown member of a rule', withRule('alert: x', 'expr: up', 'forr: 1m'), 6, 'field forr not found in type rulefmt.Rule'],
    [
      'an unknown member of a group',
      'groups:\n- name: a\n  intervall: 1m',
      3,
      'field intervall not found in type rulefmt.RuleGroup'
    ],
    ['an unknown member of the file', 'group: []', 1, 'field group not found in type rulefmt.RuleGroups'],
    [
      'a duration that is not one',
      withRule('alert: x', 'expr: up', 'for: 5 minutes'),
      6,
      'not a valid duration string: "5 minutes"'
    ],
    ['a list for a string', withRule('alert: x', 'expr: [up]'), 5, 'cannot unmarshal !!seq into string'],
    ['a member without a name', 'groups: []\n: 1', 1, 'yaml: did not find expected key'],
    ['an unknown anchor', 'groups: *a', 1, "yaml: unknown anchor 'a' referenced"],
    ['a map for a list', 'groups: {name: a}', 1, 'cannot unmarshal !!map into []rulefmt.RuleGroup'],
    ['a limit that is not a number', 'groups:\n- name: a\n  limit: many', 3, 'cannot unmarshal `many` into int'],
    ['a repeated key', withRule('alert: x', 'alert: y', 'expr: up'), 5, 'yaml: mapping key "alert" already defined'],
    ['YAML that cannot be read', 'groups: [', 1, 'yaml: '],
    ['a range vector, which no evaluation accepts', withRule('alert: x', 'expr: "up[5m]"'), 4, 'results in a range vector']
  ])('%s', (_, text, line, message) => {
    const { errors } = read(text)
    expect(errors).toContainEqual({ line, column: expect.any(Number), message: expect.stringContaining(message) })
  })

  it('name the group and the rule', () => {
    expect(read(withRule('alert: x', 'expr: up{')).errors[0]!.message).toMatch(
      /^group "g", rule 1, "x": could not parse expression: /
    )
  })

  it('report all errors of a file, at most 100', () => {
    const many = [
      'groups:',
      '- name: g',
      '  rules:',
      ...Array.from({ length: 120 }, (_, i) => `  - {alert: a${i}, expr: "up{"}`)
    ].join('\n')
    expect(read(many).errors).toHaveLength(100)
  })

  it('are bounded in bytes and aliases', () => {
    const comment = `# ${'x'.repeat(MAX_FILE_BYTES - 2)}`
    expect(read(comment).errors).toEqual([])
    expect(read(`${comment}x`).errors[0]!.message).toBe('a file must not exceed 524288 bytes (got 524289); split it')
    const keys = `{${Array.from({ length: 60_000 }, (_, i) => `k${i}:`).join(',')}}`
    expect(read(`groups: ${keys.slice(0, MAX_FILE_BYTES - 10)}`).errors[0]!.message).toMatch(/must not exceed 50000 words/)
    const bomb = [
      'groups:',
      '- name: a',
      '  labels: &l {a: b}',
      ...Array.from({ length: 101 }, (_, i) => `- {name: n${i}, labels: *l}`)
    ].join('\n')
    expect(read(bomb).errors.map(({ message }) => message)).toContain('a file must not exceed 100 aliases')
  })
})

describe('members of our own', () => {
  it('are read next to those of Prometheus', () => {
    const { groups, errors } = read(
      withRule(
        'alert: x',
        'condition: {logs: {query: "level:error", window: 10m}}',
        'op: gt',
        'threshold: 5',
        'severity: critical',
        'for_n_of_m: [2, 3]',
        'enabled: false'
      )
    )
    expect(errors).toEqual([])
    expect(groups[0]!.rules[0]).toMatchObject({
      ...{ threshold: { op: 'gt', value: 5 }, severity: 'critical', forNOfM: [2, 3], enabled: false },
      condition: { kind: 'logs', query: 'level:error', windowMs: 600_000 }
    })
  })

  it('are refused with their path', () => {
    expect(read(withRule('alert: x', 'expr: up', 'severity: page')).errors[0]!.message).toContain(
      'severity: must be one of info, warning, critical'
    )
  })
})

describe('writeRuleFile', () => {
  it('writes what readRuleFile reads', () => {
    const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }).filter(word => !word.includes('{'))
    const awkward = fc.constantFrom(
      'yes',
      'null',
      '~',
      '5',
      '0x10',
      '1e3',
      'true',
      ' a ',
      'a: b',
      '# c',
      '- d',
      'multi\nline\n',
      '"q"',
      "'",
      '2020-01-01',
      '<<',
      '='
    )
    const value = fc.oneof(words, awkward)
    const rule = fc.record({
      name: value,
      forMs: fc.integer({ min: 0, max: 86_400_000 }),
      labels: fc
        .dictionary(
          value.filter(name => name !== '__proto__'),
          value
        )
        .map(labelsOf),
      annotations: fc
        .dictionary(
          value.filter(name => name !== '__proto__'),
          value
        )
        .map(labelsOf),
      severity: fc.constantFrom(null, 'warning' as const)
    })
    fc.assert(
      fc.property(fc.uniqueArray(value), fc.array(rule, { maxLength: 4 }), (names, rules) => {
        const groups = names.map(name => ({
          name,
          intervalMs: 60_000,
          limit: 7,
          queryOffsetMs: 0,
          rules: rules.map(each => ruleOf(each))
        }))
        const { groups: again, errors } = read(writeRuleFile(groups))
        expect(errors).toEqual([])
        expect(again).toEqual(groups)
      }),
      { numRuns: 300 }
    )
  })
})
