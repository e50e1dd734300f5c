import type { AlertRule } from '../../domain/alerts/alert-rule.js'
import type { ConditionResult, RuleState } from '../../domain/alerts/alert-state.js'
import type { Label } from '../../domain/metric-point.js'
import type { MetricFacts } from '../../domain/metric-facts.js'
import type { Namespace } from '../../domain/namespace.js'
import { recordedSamples } from '../evaluate/recorded-samples.js'

/** A sample that a recording rule writes. */
export interface RecordedSample {
  readonly name: string
  readonly labels: readonly Label[]
  readonly value: number
  /** Unix milliseconds of the evaluation. */
  readonly atMs: number
}

/** What became of samples that were written. */
export interface WrittenSamples {
  /** Why some were rejected; null when none was. */
  readonly rejected: string | null
  /** Why some were added to overflow series of the namespace; null when none was. */
  readonly overflow: string | null
}

/** Writes samples of recording rules like those of senders. Writing a sample of a series and time again replaces it. */
export interface SampleWriter {
  /** Resolves when the samples survive a crash, with what is stated about their metrics. */
  write(ns: Namespace, samples: readonly RecordedSample[], facts?: readonly MetricFacts[]): Promise<WrittenSamples>
}

/** One step of a recording rule. */
export interface RecordedStep {
  readonly atMs: number
  readonly result: ConditionResult
}

/** The state of a recording rule after its steps, whose samples `writer` has taken. Rejects with errors of the writer. */
export async function recordSteps(
  rule: AlertRule,
  namespace: Namespace,
  state: RuleState,
  steps: readonly RecordedStep[],
  writer: SampleWriter
): Promise<RuleState> {
  const all: RecordedSample[] = []
  const faults = steps.map(({ atMs, result }) => {
    const samples = recordedSamples(rule, result)
    if (typeof samples === 'string') return samples
    all.push(...samples.map(({ series, value }) => ({ ...series, value, atMs })))
    return null
  })
  const rejected = all.length === 0 ? null : (await writer.write(namespace, all)).rejected
  let { errorsInRow } = state
  for (const fault of faults) errorsInRow = fault === null && rejected === null ? 0 : errorsInRow + 1
  return { lastEvalMs: steps.at(-1)!.atMs, instances: new Map(), error: faults.at(-1) ?? rejected, errorsInRow }
}
