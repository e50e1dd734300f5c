import type { LabelMatcher } from '../../../ports/metric-store.js'

/** Characters of the query, `end` exclusive. */
export interface QueryPosition {
  readonly start: number
  readonly end: number
}

/** What an expression evaluates to. */
export type ValueType = 'scalar' | 'vector' | 'matrix' | 'string'

/** `@ 1700000000`, `@ start()`, `@ end()`. */
export type AtModifier = { readonly atMs: number } | 'start' | 'end'

/** Operators of durations: of two sides, a sign before one, or `step` and `range`, which the query defines. */
export type DurationOperator = '+' | '-' | '*' | '/' | '%' | '^' | 'min_of' | 'max_of' | 'step' | 'range'

/** A duration that is known only when the query runs: `step() * 2`. */
export interface DurationOperation {
  readonly type: 'duration'
  readonly op: DurationOperator
  /** Null where the operator is a sign, `step` or `range`. */
  readonly lhs: DurationExpr | null
  readonly rhs: DurationExpr | null
  /** Whether it is in parentheses. */
  readonly isWrapped: boolean
  readonly position: QueryPosition
}

/** Seconds, or an expression of them. */
export type DurationExpr = NumberLiteral | DurationOperation

/** Where in time a selector looks. */
interface TimeShift {
  /** Zero until `offsetExpr` has been computed. */
  readonly offsetMs: number
  readonly offsetExpr?: DurationOperation
  readonly at: AtModifier | null
}

/** How a selector looks beyond its window: `anchored` at samples before its start, `smoothed` also at samples after its end. */
export type Extension = 'anchored' | 'smoothed'

/** A number. */
export interface NumberLiteral {
  readonly type: 'number'
  readonly value: number
  /** Whether it was written as a duration: `5m` for 300. */
  readonly isDuration: boolean
  readonly position: QueryPosition
}

/** A quoted string. */
export interface StringLiteral {
  readonly type: 'string'
  readonly value: string
  readonly position: QueryPosition
}

/** `name{label="value"} offset 5m @ 1700000000`. */
export interface VectorSelector extends TimeShift {
  readonly type: 'selector'
  /** The name of the metric before the braces; null without one. */
  readonly name: string | null
  /** The name of the metric among them, as `__name__`. */
  readonly matchers: readonly LabelMatcher[]
  readonly extension?: Extension
  readonly position: QueryPosition
}

/** `selector[5m]`. */
export interface MatrixSelector {
  readonly type: 'matrix'
  readonly selector: VectorSelector
  /** Zero until `rangeExpr` has been computed. */
  readonly rangeMs: number
  readonly rangeExpr?: DurationOperation
  readonly position: QueryPosition
  /** Not in the text of queries: the samples of all series with the same of these labels are looked at as one series. */
  readonly pooledBy?: readonly string[]
  /** Not in the text of queries: windows are cut to these times, Unix milliseconds. */
  readonly within?: { readonly startMs: number; readonly endMs: number }
}

/** `expression[1h:1m]`. */
export interface Subquery extends TimeShift {
  readonly type: 'subquery'
  readonly expr: Expr
  /** Zero until `rangeExpr` has been computed. */
  readonly rangeMs: number
  readonly rangeExpr?: DurationOperation
  /** Null for the default step, and until `stepExpr` has been computed. */
  readonly stepMs: number | null
  readonly stepExpr?: DurationOperation
  readonly position: QueryPosition
}

/** A function call. */
export interface Call {
  readonly type: 'call'
  readonly name: string
  readonly args: readonly Expr[]
  readonly position: QueryPosition
}

/** An aggregation with its grouping. */
export interface Aggregation {
  readonly type: 'aggregation'
  readonly op: string
  readonly expr: Expr
  /** `k` of topk, the quantile, the label of count_values. */
  readonly param: Expr | null
  readonly grouping: readonly string[]
  readonly isWithout: boolean
  readonly position: QueryPosition
}

/** How the two sides of a binary operation find each other. */
export interface VectorMatching {
  readonly card: 'one-to-one' | 'many-to-one' | 'one-to-many' | 'many-to-many'
  readonly labels: readonly string[]
  readonly isOn: boolean
  /** Labels of the `one` side that go into the result. */
  readonly include: readonly string[]
  readonly fill: FillValues
}

/** What replaces an element that the other side has and this one has not; null: the pair is left out. */
export interface FillValues {
  readonly left: number | null
  readonly right: number | null
}

/** A binary operation with its matching. */
export interface Binary {
  readonly type: 'binary'
  readonly op: string
  readonly lhs: Expr
  readonly rhs: Expr
  readonly returnsBool: boolean
  readonly matching: VectorMatching
  readonly position: QueryPosition
}

/** A sign. */
export interface Unary {
  readonly type: 'unary'
  readonly op: '+' | '-'
  readonly expr: Expr
  readonly position: QueryPosition
}

/** An expression in parentheses. */
export interface Paren {
  readonly type: 'paren'
  readonly expr: Expr
  readonly position: QueryPosition
}

/** A PromQL expression. */
export type Expr =
  | NumberLiteral
  | StringLiteral
  | VectorSelector
  | MatrixSelector
  | Subquery
  | Call
  | Aggregation
  | Binary
  | Unary
  | Paren
