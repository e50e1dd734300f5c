import type { LabelMatcher } from '../../../ports/metric-store.js'

/** Characters of the query, `end` exclusive. */
export interface Position {
  readonly start: number
  readonly end: number
}

/** What an expression evaluates to. */
export type ValueType = 'scalar' | 'vector' | 'matrix' | 'string'

/** `@ 1700000000`, `@ start()`, `@ end()`. */
export type AtModifier = { readonly atMs: number } | 'start' | 'end'

/** Where in time a selector looks. */
interface TimeShift {
  readonly offsetMs: number
  readonly at: AtModifier | null
}

export interface NumberLiteral {
  readonly type: 'number'
  readonly value: number
  /** Whether it was written as a duration: `5m` for 300. */
  readonly isDuration: boolean
  readonly position: Position
}

export interface StringLiteral {
  readonly type: 'string'
  readonly value: string
  readonly position: Position
}

/** `name{label="value"} offset 5m @ 1700000000`. */
export interface VectorSelector extends TimeShift {
  readonly type: 'selector'
  /** The name of the metric before the braces; null where there is none. */
  readonly name: string | null
  /** The name of the metric among them, as `__name__`. */
  readonly matchers: readonly LabelMatcher[]
  readonly position: Position
}

/** `selector[5m]`. */
export interface MatrixSelector {
  readonly type: 'matrix'
  readonly selector: VectorSelector
  readonly rangeMs: number
  readonly position: Position
  /** Not in the text of queries: the samples of all series with the same of these labels are looked at as one series. */
  readonly pooledBy?: readonly string[]
  /** Not in the text of queries: windows are cut to these times, Unix milliseconds. */
  readonly within?: { readonly startMs: number; readonly endMs: number }
}

/** `expression[1h:1m]`. */
export interface Subquery extends TimeShift {
  readonly type: 'subquery'
  readonly expr: Expr
  readonly rangeMs: number
  /** Null: the default step. */
  readonly stepMs: number | null
  readonly position: Position
}

export interface Call {
  readonly type: 'call'
  readonly name: string
  readonly args: readonly Expr[]
  readonly position: Position
}

export interface Aggregation {
  readonly type: 'aggregation'
  readonly op: string
  readonly expr: Expr
  /** `k` of topk, the quantile, the label of count_values. */
  readonly param: Expr | null
  readonly grouping: readonly string[]
  readonly isWithout: boolean
  readonly position: Position
}

/** How the two sides of a binary operation find each other. */
export interface VectorMatching {
  readonly card: 'one-to-one' | 'many-to-one' | 'one-to-many' | 'many-to-many'
  readonly labels: readonly string[]
  readonly isOn: boolean
  /** Labels of the `one` side that go into the result. */
  readonly include: readonly string[]
}

export interface Binary {
  readonly type: 'binary'
  readonly op: string
  readonly lhs: Expr
  readonly rhs: Expr
  readonly returnsBool: boolean
  readonly matching: VectorMatching
  readonly position: Position
}

export interface Unary {
  readonly type: 'unary'
  readonly op: '+' | '-'
  readonly expr: Expr
  readonly position: Position
}

export interface Paren {
  readonly type: 'paren'
  readonly expr: Expr
  readonly position: Position
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
