import { GatewayError, isGatewayError } from '../../domain/errors.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { Namespace } from '../../domain/namespace.js'
import { DEFAULT_STORAGE } from '../../domain/storage-plan.js'
import type { Clock } from '../../ports/clock.js'
import type { Logger } from '../../ports/logger.js'
import { goQuoted } from '../../query/promql/go-quote.js'
import { PromqlQuery } from '../../query/promql/promql-query.js'
import type { PromqlThreads } from '../../query/promql/promql-threads.js'
import { formatDuration } from '../../query/promql/syntax/duration.js'
import type { QuerySettings } from '../../query/settings.js'
import { QueryConditionReader } from '../evaluate/read/query-condition-reader.js'
import type { FileGroup } from '../rule-files/rule-file.js'
import { compareAlerts, compareSamples, type ShownSeries } from './compare.js'
import { MemoryMetrics } from './memory-metrics.js'
import { type TestBench, TestedRule } from './rule-test-run.js'
import { readSeriesName, readSeriesValues } from './series-notation.js'
import type { RuleTestFile, TestGroup } from './test-file.js'

/** Dependencies of `RuleTests`. */
export interface RuleTestsDeps {
  readonly threads: Pick<PromqlThreads, 'run'>
  readonly settings: QuerySettings
  readonly clock: Clock
  readonly logger: Logger
}

/** Evaluations of one test: its steps times its rules. */
export const MAX_TEST_EVALUATIONS = 100_000

/** Values of all series of one test. */
export const MAX_TEST_VALUES = 500_000

/** A namespace of no store: tests read their own series, at times from 1970 on. */
const NAMESPACE: Namespace = {
  id: 'rule-tests' as NamespaceId,
  ...{ name: 'rule-tests', kind: 'personal', state: 'active', createdAtMs: 0 },
  retention: { logs: null, traces: null, metrics: null, rum: null, errors: null, rejected: null },
  storage: DEFAULT_STORAGE.personal
}

function unsupported(): Promise<never> {
  return Promise.reject(
    new GatewayError('query_unsupported', 'tests of rules evaluate PromQL alone; they have no logs and spans')
  )
}

interface PromqlBench extends TestBench {
  readonly promql: PromqlQuery
}

/** Runs unit tests of rules as `promtool test rules` does. */
export class RuleTests {
  readonly #deps: RuleTestsDeps

  constructor(deps: RuleTestsDeps) {
    this.#deps = deps
  }

  /** Failures of all tests, in the words of promtool; empty when everything is as expected. */
  async run(file: RuleTestFile, groups: readonly FileGroup[], signal: AbortSignal): Promise<readonly string[]> {
    const order = (name: string): number => Math.max(0, file.groupEvalOrder.indexOf(name))
    const ordered = groups.toSorted((a, b) => order(a.name) - order(b.name))
    const failures: string[] = []
    for (const test of file.tests) failures.push(...(await this.#test(file, test, ordered, signal)))
    return failures
  }

  async #test(
    file: RuleTestFile,
    test: TestGroup,
    groups: readonly FileGroup[],
    signal: AbortSignal
  ): Promise<readonly string[]> {
    const bench = this.#bench()
    try {
      loadSeries(bench, test)
      const failures = await this.#alerts(bench, file, test, groups, signal)
      return [...failures, ...(await this.#expressions(bench, file, test, signal))]
    } catch (error) {
      if (error instanceof EvaluationFailed) return error.failures
      if (isGatewayError(error, 'invalid_field')) return [`    ${error.message}`]
      throw error
    }
  }

  #bench(): PromqlBench {
    const { threads, settings, clock, logger } = this.#deps
    const metrics = new MemoryMetrics()
    const promql = new PromqlQuery({ metrics, clock, settings, threads })
    const reader = new QueryConditionReader({
      promql,
      logs: { search: unsupported, aggregate: unsupported },
      traces: { stats: unsupported, searchSpans: unsupported, aggregate: unsupported },
      events: { list: unsupported },
      ...{ clock, logger }
    })
    return { ns: NAMESPACE, promql, reader, metrics }
  }

  /** Evaluates all rules up to the last time that the test looks at, and compares the alerts on the way. */
  async #alerts(
    bench: PromqlBench,
    file: RuleTestFile,
    test: TestGroup,
    groups: readonly FileGroup[],
    signal: AbortSignal
  ): Promise<readonly string[]> {
    const rules = testedRules(test, groups)
    const endMs = Math.max(0, ...[...test.alertTests, ...test.expressionTests].map(({ evalMs }) => evalMs))
    const stepMs = file.evaluationIntervalMs
    const evaluations = (Math.floor(endMs / stepMs) + 1) * Math.max(1, rules.length)
    if (evaluations > MAX_TEST_EVALUATIONS)
      throw new GatewayError('invalid_field', `a test must not exceed ${MAX_TEST_EVALUATIONS} evaluations (got ${evaluations})`)
    const failures: string[] = []
    for (let atMs = 0; atMs <= endMs; atMs += stepMs) {
      bench.metrics.tillMs = test.startMs + atMs
      await evaluateAll(bench, rules, { atMs: test.startMs + atMs, sinceMs: atMs, failures }, signal)
      const due = test.alertTests.filter(({ evalMs }) => atMs <= evalMs && evalMs < atMs + stepMs)
      for (const alertTest of due.toSorted((a, b) => a.evalMs - b.evalMs)) {
        const firing = rules.filter(({ content }) => content.kind === 'alert' && content.name === alertTest.alertName)
        const alerts = firing.flatMap(({ state }) => [...state.instances.values()].filter(each => each.state === 'firing'))
        failures.push(...compareAlerts(test.name, alertTest, alerts))
      }
    }
    bench.metrics.tillMs = test.startMs + endMs
    return failures
  }

  async #expressions(
    { promql, ns, metrics, reader }: PromqlBench,
    file: RuleTestFile,
    test: TestGroup,
    signal: AbortSignal
  ): Promise<readonly string[]> {
    const parse = (text: string) => promql.parse(text)
    const failures: string[] = []
    for (const expressionTest of test.expressionTests) {
      const { expr, evalMs, expected } = expressionTest
      const condition = { kind: 'promql', expr } as const
      const atMs = test.startMs + evalMs
      metrics.tillMs = Math.max(metrics.tillMs, atMs)
      const [result] = await reader.read(ns, { kind: 'record', condition, threshold: null, queryOffsetMs: 0 }, [atMs], signal)
      const where = `    expr: ${goQuoted(expr)}, time: ${formatDuration(evalMs)},`
      if (result!.kind !== 'vector') {
        failures.push(`${where} err: ${result!.kind === 'error' ? result!.message : 'skipped'}`)
        continue
      }
      const got = result!.elements.map(({ metric = '', labels, value }): ShownSeries => ({ name: metric, labels, value }))
      const named = expected.map(({ labels, value }): ShownSeries => ({
        ...readSeriesName(labels === '' ? '{}' : labels, parse),
        value
      }))
      failures.push(...compareSamples(where, named, got, file.fuzzyCompare))
    }
    return failures
  }
}

class EvaluationFailed extends Error {
  readonly failures: readonly string[]

  constructor(failures: readonly string[]) {
    super('rules could not be evaluated')
    this.failures = failures
  }
}

function loadSeries({ metrics, promql }: PromqlBench, { series, startMs, intervalMs }: TestGroup): void {
  let count = 0
  for (const { series: text, values: notation } of series) {
    const name = readSeriesName(text, query => promql.parse(query))
    const values = readSeriesValues(notation)
    count += values.length
    if (count > MAX_TEST_VALUES)
      throw new GatewayError('invalid_field', `the series of a test must not exceed ${MAX_TEST_VALUES} values`)
    for (const [i, value] of values.entries()) metrics.add(name, startMs + i * intervalMs, value)
  }
}

function testedRules({ externalLabels, externalUrl }: TestGroup, groups: readonly FileGroup[]): readonly TestedRule[] {
  const rules = groups.flatMap(({ rules: all, limit }) => all.map(content => ({ content, limit })))
  return rules.map(({ content, limit }) => new TestedRule(content, { limit, externalUrl, externalLabels }))
}

async function evaluateAll(
  bench: TestBench,
  rules: readonly TestedRule[],
  { atMs, sinceMs, failures }: { readonly atMs: number; readonly sinceMs: number; readonly failures: readonly string[] },
  signal: AbortSignal
): Promise<void> {
  const errors: string[] = []
  for (const rule of rules) {
    const error = await rule.step(bench, atMs, signal)
    if (error !== null) errors.push(`    rule: ${rule.content.name}, time: ${formatDuration(sinceMs)}, err: ${error}`)
  }
  if (errors.length > 0) throw new EvaluationFailed([...failures, ...errors])
}
