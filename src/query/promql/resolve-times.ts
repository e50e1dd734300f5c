import { endOf, type Steps } from './evaluate/values.js'
import { ARITHMETIC } from './functions/arithmetic.js'
import { largerOf, smallerOf } from './functions/clamp-and-round.js'
import { PromqlBadQuery } from './promql-error.js'
import type { DurationExpr, DurationOperation, Expr, NumberLiteral, Subquery, VectorSelector } from './syntax/ast.js'
import { isBeyondDurations, TOO_SHORT, zeroDivision } from './syntax/duration.js'

/** The times of a query that its own expression may contain: `start()`, `end()`, `range()`, `step()`. Milliseconds. */
export interface QueryTimes {
  readonly startMs: number
  readonly endMs: number
  /** Zero for an instant query. */
  readonly stepMs: number
}

/** The times of a query. */
export function timesOf({ steps, isRange }: { readonly steps: Steps; readonly isRange: boolean }): QueryTimes {
  return { startMs: steps.startMs, endMs: endOf(steps), stepMs: isRange ? steps.stepMs : 0 }
}

/**
 * The query with what its times decide: durations become milliseconds, `start()` and the like numbers. Throws
 * `PromqlBadQuery` for an invalid duration, with the message of Prometheus (promql/durations.go).
 */
export function resolveTimes(expr: Expr, times: QueryTimes): Expr {
  return new Resolver(times).resolve(expr)
}

class Resolver {
  readonly #times: QueryTimes

  constructor(times: QueryTimes) {
    this.#times = times
  }

  resolve(expr: Expr): Expr {
    switch (expr.type) {
      case 'selector':
        return { ...expr, ...this.#offset(expr) }
      case 'matrix': {
        const rangeMs = this.#length(expr.rangeExpr) ?? expr.rangeMs
        return { ...expr, rangeMs, selector: { ...expr.selector, ...this.#offset(expr.selector) } }
      }
      case 'subquery':
        return this.#subquery(expr)
      case 'binary': {
        const lhs = this.resolve(expr.lhs)
        return { ...expr, lhs, rhs: this.resolve(expr.rhs) }
      }
      case 'aggregation': {
        const inner = this.resolve(expr.expr)
        return { ...expr, expr: inner, param: expr.param === null ? null : this.resolve(expr.param) }
      }
      case 'call':
        return this.#ofQuery(expr) ?? { ...expr, args: expr.args.map(arg => this.resolve(arg)) }
      case 'paren':
      case 'unary':
        return { ...expr, expr: this.resolve(expr.expr) }
      default:
        return expr
    }
  }

  #subquery(expr: Subquery): Subquery {
    const offset = this.#offset(expr)
    const stepMs = this.#length(expr.stepExpr) ?? expr.stepMs
    const rangeMs = this.#length(expr.rangeExpr) ?? expr.rangeMs
    return { ...expr, ...offset, stepMs, rangeMs, expr: this.resolve(expr.expr) }
  }

  /** A function of the query itself, as the number that it is. */
  #ofQuery({ name, position }: Extract<Expr, { type: 'call' }>): NumberLiteral | null {
    const ms = this.#timeOf(name)
    return ms === null ? null : { type: 'number', value: ms / 1_000, isDuration: false, position }
  }

  #timeOf(name: string): number | null {
    const { startMs, endMs, stepMs } = this.#times
    switch (name) {
      case 'start':
        return startMs
      case 'end':
        return endMs
      case 'range':
        return endMs - startMs
      case 'step':
        // A query of one time has no steps, whichever route it came by.
        return startMs === endMs ? 0 : stepMs
      default:
        return null
    }
  }

  #offset({ offsetMs, offsetExpr }: Pick<VectorSelector, 'offsetMs' | 'offsetExpr'>): { readonly offsetMs: number } {
    return { offsetMs: offsetExpr === undefined ? offsetMs : this.#milliseconds(offsetExpr) }
  }

  #length(expr: DurationOperation | undefined): number | null {
    if (expr === undefined) return null
    const ms = this.#milliseconds(expr, true)
    // Times are whole milliseconds here: less is nothing.
    if (ms === 0) throw fault(expr, TOO_SHORT)
    return ms
  }

  #milliseconds(expr: DurationOperation, isPositive = false): number {
    const seconds = this.#seconds(expr)
    if (!Number.isFinite(seconds)) throw fault(expr, 'duration is NaN or infinite')
    if (isPositive && seconds <= 0) throw fault(expr, TOO_SHORT)
    if (isBeyondDurations(seconds)) throw fault(expr, 'duration is out of range')
    return Math.trunc(seconds * 1_000) + 0
  }

  #seconds(expr: DurationExpr): number {
    if (expr.type === 'number') return expr.value
    const { op, lhs, rhs } = expr
    if (op === 'step') return this.#times.stepMs / 1_000
    if (op === 'range') return (this.#times.endMs - this.#times.startMs) / 1_000
    const left = lhs === null ? 0 : this.#seconds(lhs)
    const right = rhs === null ? 0 : this.#seconds(rhs)
    if (lhs === null) return op === '-' ? -right : right
    if (op === 'min_of') return smallerOf(left, right)
    if (op === 'max_of') return largerOf(left, right)
    if (right === 0 && (op === '/' || op === '%')) throw fault(expr, zeroDivision(op))
    return ARITHMETIC.get(op)!(left, right)
  }
}

/** Prometheus names the characters around the duration. */
function fault({ position }: DurationOperation, detail: string): PromqlBadQuery {
  return new PromqlBadQuery(`${position.start}:${position.end}: ${detail}`)
}
