import { type ConditionResult, FIRST_RULE_STATE, type RuleState } from '../../domain/alerts/alert-state.js'
import type { AlertRuleContent } from '../../domain/alerts/alert-rule.js'
import type { Label } from '../../domain/metric-point.js'
import type { Namespace } from '../../domain/namespace.js'
import { seriesKey } from '../../domain/series-key.js'
import type { ConditionReader } from '../evaluate/condition-reader.js'
import { evaluate } from '../evaluate/evaluate.js'
import { isRunning } from '../evaluate/advance.js'
import { PreparedRule, type RuleContext } from '../evaluate/prepared-rule.js'
import { recordedSamples } from '../evaluate/recorded-samples.js'
import type { MemoryMetrics } from './memory-metrics.js'
import type { SeriesName, SeriesValue } from './series-notation.js'

/** Where rules of a test read and write. */
export interface TestBench {
  readonly ns: Namespace
  readonly reader: ConditionReader
  readonly metrics: MemoryMetrics
}

interface Sample {
  readonly series: SeriesName
  readonly value: number
}

/** One rule of a test, evaluated step by step. */
export class TestedRule {
  readonly content: AlertRuleContent
  readonly #prepared: PreparedRule
  #state: RuleState = FIRST_RULE_STATE
  #written: ReadonlyMap<string, SeriesName> = new Map()

  constructor(content: AlertRuleContent, context: RuleContext) {
    this.content = content
    this.#prepared = new PreparedRule(content, context)
  }

  get state(): RuleState {
    return this.#state
  }

  /** Evaluates the rule and writes its samples; returns why that failed, or null. */
  async step({ ns, reader, metrics }: TestBench, atMs: number, signal: AbortSignal): Promise<string | null> {
    const [result] = await reader.read(ns, { ...this.content, queryOffsetMs: 0 }, [atMs], signal)
    const samples = this.content.kind === 'record' ? recordedSamples(this.content, result!) : this.#alerts(result!, atMs)
    if (typeof samples === 'string') return samples
    this.#write(metrics, samples, atMs)
    return null
  }

  /** Alerts that fire, as `ALERTS` and `ALERTS_FOR_STATE` have them. */
  #alerts(result: ConditionResult, atMs: number): readonly Sample[] | string {
    this.#state = evaluate(this.#prepared, this.#state, result, atMs).state
    if (this.#state.error !== null) return this.#state.error
    return [...this.#state.instances.values()].filter(isRunning).flatMap(({ labels, state, activeAtMs }) => [
      { series: { name: 'ALERTS', labels: withLabel(labels, 'alertstate', state) }, value: 1 },
      { series: { name: 'ALERTS_FOR_STATE', labels }, value: Math.floor(activeAtMs / 1_000) }
    ])
  }

  /** Series that the rule wrote before and does not write any more end here. */
  #write(metrics: MemoryMetrics, samples: readonly Sample[], atMs: number): void {
    const written = new Map(samples.map(({ series }) => [seriesKey(series), series] as const))
    const add = (series: SeriesName, value: SeriesValue): void => metrics.add(series, atMs, value)
    for (const { series, value } of samples) add(series, value)
    for (const [key, series] of this.#written) if (!written.has(key)) add(series, 'stale')
    this.#written = written
  }
}

function withLabel(labels: readonly Label[], name: string, value: string): readonly Label[] {
  return [...labels.filter(label => label.name !== name), { name, value }].sort((a, b) => (a.name < b.name ? -1 : 1))
}
