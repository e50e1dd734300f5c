import type { Expr, ValueType } from './syntax/ast.js'
import type { RawSeries, Steps, Value } from './evaluate/values.js'
import type { Warning } from '../../domain/warning.js'

/** A PromQL query: one time, or a grid of times. */
export interface PromqlRequest {
  /** Its text, or an expression that was made here. */
  readonly query: string | Expr
  readonly steps: Steps
  /** Whether the result is one of times (`query_range`) or of one time (`query`). */
  readonly isRange: boolean
  /** How far back an instant selector looks for a sample. */
  readonly lookbackMs?: number
  /** Less than the query limit's own. */
  readonly timeoutMs?: number
  /** The limit of series in the result; the rest is left out with a warning. */
  readonly limit?: number
  /** The body of Prometheus's result (the default), or a grid for `readGrid`. */
  readonly form?: 'json' | 'grid'
  /** Gaps that the store knows of: warnings of the result. */
  readonly gaps?: readonly Warning[]
}

/** A result: a value over the steps, or the samples of a range selector, which an instant query may request. */
export interface PromqlResult {
  readonly type: ValueType
  readonly value: Value | { readonly type: 'matrix'; readonly series: readonly RawSeries[] }
  readonly warnings: readonly Warning[]
  readonly infos: readonly string[]
}

/** What one evaluation may cost. */
export interface PromqlBounds {
  readonly maxQueryChars: number
  readonly allowsExperimental: boolean
  /** Samples that all selectors read together. */
  readonly maxSamples: number
  /** Ranges longer than this are read only where the query looks. */
  readonly wholeReadMs: number
  /** Values that all nodes of the query make together. */
  readonly maxValues: number
  readonly maxResultBytes: number
}
