import type { NamespaceId } from '../ids.js'
import type { Label } from '../metric-point.js'

/** States of an instance, and of a rule: the gravest of its instances. */
export const ALERT_STATES = ['inactive', 'pending', 'firing', 'resolved', 'nodata', 'error', 'unknown'] as const
export type AlertState = (typeof ALERT_STATES)[number]

/** One element of the vector of a condition. */
export interface VectorElement {
  /** Name of the metric, for templates alone; absent where the condition has none. */
  readonly metric?: string
  /** Without `__name__`, sorted by name. */
  readonly labels: readonly Label[]
  readonly value: number
}

/** What a condition results in at one time. */
export type ConditionResult =
  | {
      readonly kind: 'vector'
      /** Elements that meet the threshold. */
      readonly elements: readonly VectorElement[]
      /** Whether there was anything to compare: a vector that is empty for lack of data is `nodata`. */
      readonly hasData: boolean
      /**
       * Of an absence, the sources that are there. The instance of a source that is neither an element nor one of these stays:
       * nothing is known of the source any more.
       */
      readonly present?: readonly VectorElement[]
    }
  | { readonly kind: 'error'; readonly message: string }
  /** Steps up to this time were not evaluated: too many had passed. */
  | { readonly kind: 'skipped' }

/** An alert: one label set of a rule. Times are Unix milliseconds of evaluations, never of a wall clock. */
export interface AlertInstance {
  /** 16 hex digits over the labels, those of Alertmanager; equal for equal labels. */
  readonly fingerprint: string
  /** With `alertname` and the expanded labels of the rule, sorted by name. */
  readonly labels: readonly Label[]
  readonly annotations: readonly Label[]
  readonly state: AlertState
  /** When its present run of evaluations with the element began. */
  readonly activeAtMs: number
  readonly firedAtMs: number | null
  /** First evaluation without the element while `keepFiringForMs` holds it. */
  readonly keepSinceMs: number | null
  readonly resolvedAtMs: number | null
  /** The latest value; null for states that have none. */
  readonly value: number | null
  /** Of the last m evaluations, the newest in the lowest bit, whether the element was there; 0 without `forNOfM`. */
  readonly seen: number
}

/** All that one evaluation needs of the one before, and leaves to the next. */
export interface RuleState {
  /** Time of the last evaluation; null before the first. */
  readonly lastEvalMs: number | null
  /** By fingerprint. Resolved ones stay for 15 minutes. */
  readonly instances: ReadonlyMap<string, AlertInstance>
  /** Of the last evaluation; null when it succeeded. */
  readonly error: string | null
  /** Evaluations in a row that failed. */
  readonly errorsInRow: number
}

/** An instance that changed its state. */
export interface AlertTransition {
  readonly fingerprint: string
  readonly labels: readonly Label[]
  readonly annotations: readonly Label[]
  readonly from: AlertState
  readonly to: AlertState
  /** The evaluation time. */
  readonly atMs: number
  /** `activeAtMs` of the instance. */
  readonly startsAtMs: number
  readonly value: number | null
}

/** A stored transition. */
export interface AlertEvent extends AlertTransition {
  /** Grows by commit within a namespace: who has read to `seq` misses nothing that is committed later. */
  readonly seq: number
  readonly namespaceId: NamespaceId
  readonly ruleId: string
  /** Version of the rule that was evaluated. */
  readonly ruleVersion: number
  /** Whether it was evaluated more than an interval after its time. */
  readonly isLate: boolean
}

/** State of a rule before its first evaluation. */
export const FIRST_RULE_STATE: RuleState = { lastEvalMs: null, instances: new Map(), error: null, errorsInRow: 0 }
