import type { Node } from 'yaml'
import type { FileError } from '../rule-files/yaml-node.js'
import { YamlFile } from '../rule-files/yaml-node.js'
import { readDuration, readLabelMap } from '../rule-files/yaml-values.js'

/** An alert that a test expects to fire. */
export interface ExpectedAlert {
  readonly labels: ReadonlyMap<string, string>
  readonly annotations: ReadonlyMap<string, string>
}

/** Which alerts of a name fire at a time after the start. */
export interface AlertTest {
  readonly evalMs: number
  readonly alertName: string
  readonly expected: readonly ExpectedAlert[]
}

/** What an expression results in at a time after the start. */
export interface ExpressionTest {
  readonly evalMs: number
  readonly expr: string
  readonly expected: readonly { readonly labels: string; readonly value: number }[]
}

/** Series and what is expected of the rules over them. */
export interface TestGroup {
  readonly name: string
  readonly intervalMs: number
  /** Time of the first evaluation, Unix milliseconds. */
  readonly startMs: number
  readonly series: readonly { readonly series: string; readonly values: string }[]
  readonly alertTests: readonly AlertTest[]
  readonly expressionTests: readonly ExpressionTest[]
  readonly externalLabels: ReadonlyMap<string, string>
  readonly externalUrl: string
}

/** A file of unit tests of rules, in the format of `promtool test rules`. */
export interface RuleTestFile {
  readonly ruleFiles: readonly string[]
  readonly evaluationIntervalMs: number
  readonly groupEvalOrder: readonly string[]
  /** Whether numbers may differ by their last bit. */
  readonly fuzzyCompare: boolean
  readonly tests: readonly TestGroup[]
}

const MINUTE_MS = 60_000

type Members = ReadonlyMap<string, Node | null>

/** Reads test files. */
class TestFileReader {
  readonly file: YamlFile

  constructor(text: string) {
    this.file = new YamlFile(text)
  }

  read(): RuleTestFile {
    const root = this.#members(this.file.root, [
      'rule_files',
      'evaluation_interval',
      'group_eval_order',
      'tests',
      'fuzzy_compare'
    ])
    const evaluationIntervalMs = readDuration(this.file, root.get('evaluation_interval') ?? null) || MINUTE_MS
    const groupEvalOrder = this.#strings(root, 'group_eval_order')
    for (const [i, name] of groupEvalOrder.entries())
      if (groupEvalOrder.indexOf(name) < i) this.file.add(this.file.root, `group name repeated in evaluation order: ${name}`)
    return {
      ruleFiles: this.#strings(root, 'rule_files'),
      evaluationIntervalMs,
      groupEvalOrder,
      fuzzyCompare: this.#string(root, 'fuzzy_compare') === 'true',
      tests: this.#items(root, 'tests').map(node => this.#test(node, evaluationIntervalMs))
    }
  }

  #members(node: Node | null, names: readonly string[]): Members {
    const members = this.file.members(node, 'map') ?? new Map<string, Node | null>()
    for (const name of members.keys())
      if (!names.includes(name)) this.file.add(members.get(name) ?? node, `field ${name} not found`)
    return members
  }

  #items(members: Members, name: string): readonly (Node | null)[] {
    return this.file.items(members.get(name) ?? null, name) ?? []
  }

  #string(members: Members, name: string): string {
    return this.file.string(members.get(name) ?? null) ?? ''
  }

  #strings(members: Members, name: string): readonly string[] {
    return this.#items(members, name).map(node => this.file.string(node) ?? '')
  }

  #test(node: Node | null, evaluationIntervalMs: number): TestGroup {
    const test = this.#members(node, [
      ...['name', 'interval', 'input_series', 'alert_rule_test', 'promql_expr_test', 'external_labels', 'external_url'],
      'start_timestamp'
    ])
    const name = this.#string(test, 'name')
    return {
      name,
      intervalMs: readDuration(this.file, test.get('interval') ?? null) || evaluationIntervalMs,
      startMs: this.#start(test.get('start_timestamp') ?? null),
      series: this.#items(test, 'input_series').map(each => {
        const series = this.#members(each, ['series', 'values'])
        return { series: this.#string(series, 'series'), values: this.#string(series, 'values') }
      }),
      alertTests: this.#items(test, 'alert_rule_test').map(each => this.#alertTest(each, name)),
      expressionTests: this.#items(test, 'promql_expr_test').map(each => this.#expressionTest(each)),
      externalLabels: readLabelMap(this.file, test.get('external_labels') ?? null),
      externalUrl: this.#string(test, 'external_url')
    }
  }

  #alertTest(node: Node | null, test: string): AlertTest {
    const members = this.#members(node, ['eval_time', 'alertname', 'exp_alerts'])
    const evalMs = readDuration(this.file, members.get('eval_time') ?? null)
    const alertName = this.#string(members, 'alertname')
    const where = test === '' ? '' : ` (in TestGroup ${test})`
    if (alertName === '') this.file.add(node, `an item under alert_rule_test misses required attribute alertname${where}`)
    const expected = this.#items(members, 'exp_alerts').map(each => {
      const alert = this.#members(each, ['exp_labels', 'exp_annotations'])
      const map = (name: string): ReadonlyMap<string, string> => readLabelMap(this.file, alert.get(name) ?? null)
      return { labels: map('exp_labels'), annotations: map('exp_annotations') }
    })
    return { evalMs, alertName, expected }
  }

  #expressionTest(node: Node | null): ExpressionTest {
    const members = this.#members(node, ['expr', 'eval_time', 'exp_samples'])
    const expected = this.#items(members, 'exp_samples').map(each => {
      const sample = this.#members(each, ['labels', 'value', 'histogram'])
      if (sample.has('histogram')) this.file.add(each, 'native histograms are not supported in exp_samples')
      return { labels: this.#string(sample, 'labels'), value: this.#number(sample.get('value') ?? null) }
    })
    return { evalMs: readDuration(this.file, members.get('eval_time') ?? null), expr: this.#string(members, 'expr'), expected }
  }

  #number(node: Node | null): number {
    const text = this.file.string(node, 'float64') ?? ''
    if (text === '') return 0
    const special = /^([-+]?)\.?inf$/i.exec(text)
    if (special) return special[1] === '-' ? -Infinity : Infinity
    if (/^\.?nan$/i.test(text)) return Number.NaN
    const value = Number(text.replaceAll('_', ''))
    if (Number.isNaN(value)) this.file.add(node, `cannot unmarshal \`${text}\` into float64`)
    return value
  }

  /** Unix seconds or RFC 3339. */
  #start(node: Node | null): number {
    const text = this.file.string(node, 'testStartTimestamp') ?? ''
    if (text === '') return 0
    const ms = /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text)
    if (!Number.isNaN(ms)) return Math.round(ms)
    this.file.add(node, `${JSON.stringify(text)} is not a time in Unix seconds or RFC 3339`)
    return 0
  }
}

/** Reads a test file; with errors, what could be read of it. */
export function readTestFile(text: string): { readonly file: RuleTestFile; readonly errors: readonly FileError[] } {
  const reader = new TestFileReader(text)
  const file = reader.read()
  return { file, errors: reader.file.errors }
}
