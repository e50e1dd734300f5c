import { SIGNATURES } from '../functions/signatures.js'
import { goQuoted } from '../go-quote.js'
import type { Aggregation, Binary, Call, Expr, ValueType, VectorSelector } from './ast.js'
import { AGGREGATIONS, isComparison, isSetOperator } from './operators.js'
import { selectorFault } from './parse-selector.js'
import { PromqlSyntaxError } from './syntax-error.js'

/** Prometheus's words for the types of values. */
export const TYPE_NAMES: Readonly<Record<ValueType, string>> = {
  scalar: 'scalar',
  vector: 'instant vector',
  matrix: 'range vector',
  string: 'string'
}

/** What an expression evaluates to. */
export function typeOf(expr: Expr): ValueType {
  switch (expr.type) {
    case 'number':
      return 'scalar'
    case 'string':
      return 'string'
    case 'matrix':
    case 'subquery':
      return 'matrix'
    case 'call':
      return SIGNATURES.get(expr.name)!.returns
    case 'unary':
    case 'paren':
      return typeOf(expr.expr)
    case 'binary':
      // Chains of operators are deep on the left: the right side alone mostly decides.
      return typeOf(expr.rhs) === 'scalar' && typeOf(expr.lhs) === 'scalar' ? 'scalar' : 'vector'
    default:
      return 'vector'
  }
}

/** Throws `PromqlSyntaxError` where the types of a query do not fit. */
export function checkTypes(query: string, expr: Expr): void {
  new TypeCheck(query).check(expr)
}

class TypeCheck {
  readonly #query: string

  constructor(query: string) {
    this.#query = query
  }

  check(expr: Expr): void {
    switch (expr.type) {
      case 'paren':
        return this.check(expr.expr)
      case 'selector':
        return this.#selector(expr)
      case 'matrix':
        return this.#selector(expr.selector)
      case 'unary':
        return this.#unary(expr)
      case 'binary':
        return this.#binary(expr)
      case 'call':
        return this.#call(expr)
      case 'aggregation':
        return this.#aggregation(expr)
      case 'subquery':
        this.check(expr.expr)
        if (typeOf(expr.expr) === 'vector') return undefined
        return this.#fail(expr, `subquery is only allowed on instant vector, got ${typeOf(expr.expr)} instead`)
      default:
    }
  }

  #fail(expr: Expr, detail: string): never {
    throw new PromqlSyntaxError(this.#query, expr.position.start, detail)
  }

  #expectType(expr: Expr, type: ValueType, context: string): void {
    const found = typeOf(expr)
    if (found === type) return
    this.#fail(expr, `expected type ${TYPE_NAMES[type]} in ${context}, got ${TYPE_NAMES[found]}`)
  }

  #selector(expr: VectorSelector): void {
    const fault = selectorFault(expr)
    if (fault !== null) this.#fail(expr, fault)
  }

  #unary(expr: Extract<Expr, { type: 'unary' }>): void {
    this.check(expr.expr)
    const type = typeOf(expr.expr)
    if (type === 'scalar' || type === 'vector') return
    this.#fail(expr, `unary expression only allowed on expressions of type scalar or instant vector, got "${TYPE_NAMES[type]}"`)
  }

  #binary(expr: Binary): void {
    this.check(expr.lhs)
    this.check(expr.rhs)
    const types = [typeOf(expr.lhs), typeOf(expr.rhs)] as const
    this.#operator(expr, types[0] === 'scalar' && types[1] === 'scalar')
    const wrong = types.findIndex(type => type !== 'scalar' && type !== 'vector')
    if (wrong >= 0) {
      this.#fail(wrong === 0 ? expr.lhs : expr.rhs, 'binary expression must contain only scalar and instant vector types')
    }
    this.#matching(expr, types.includes('scalar'))
  }

  /** What is wrong at the operator itself. */
  #operator({ op, returnsBool, matching, lhs }: Binary, areScalars: boolean): void {
    const failAtOperator = (detail: string): never => {
      const rest = this.#query.slice(lhs.position.end)
      throw new PromqlSyntaxError(this.#query, lhs.position.end + rest.length - rest.trimStart().length, detail)
    }
    if (returnsBool && !isComparison(op)) failAtOperator('bool modifier can only be used on comparison operators')
    if (areScalars && isComparison(op) && !returnsBool) failAtOperator('comparisons between scalars must use BOOL modifier')
    const included = new Set(matching.include)
    const twice = matching.labels.find(label => matching.isOn && included.has(label))
    if (twice !== undefined) failAtOperator(`label ${goQuoted(twice)} must not occur in ON and GROUP clause at once`)
  }

  #matching(expr: Binary, hasScalar: boolean): void {
    const { op, matching } = expr
    const { labels, card, fill } = matching
    const isFilled = fill.left !== null || fill.right !== null
    if (hasScalar) {
      if (labels.length > 0) this.#fail(expr, 'vector matching only allowed between instant vectors')
      if (isFilled) this.#fail(expr, 'filling in missing series only allowed between instant vectors')
      if (isSetOperator(op)) this.#fail(expr, `set operator "${op}" not allowed in binary scalar expression`)
      return
    }
    if (!isSetOperator(op)) return
    if (card !== 'many-to-many') this.#fail(expr, `no grouping allowed for "${op}" operation`)
    if (isFilled) this.#fail(expr, 'filling in missing series not allowed for set operators')
  }

  #call(expr: Call): void {
    const { args, optional } = SIGNATURES.get(expr.name)!
    const given = expr.args.length
    const least = optional < 0 ? args.length - 1 : args.length - optional
    if (given < least) {
      const kind = optional === 0 ? '' : 'at least '
      this.#fail(expr, `expected ${kind}${least} argument(s) in call to "${expr.name}", got ${given}`)
    }
    if (optional >= 0 && given > args.length) {
      const kind = optional === 0 ? '' : 'at most '
      this.#fail(expr, `expected ${kind}${args.length} argument(s) in call to "${expr.name}", got ${given}`)
    }
    for (const [i, arg] of expr.args.entries()) {
      // The second argument of `info` is conditions that may match every series.
      if (expr.name !== 'info' || i !== 1) this.check(arg)
      this.#expectType(arg, args[Math.min(i, args.length - 1)]!, `call to function "${expr.name}"`)
    }
  }

  #aggregation(expr: Aggregation): void {
    this.check(expr.expr)
    this.#expectType(expr.expr, 'vector', 'aggregation expression')
    const expected = AGGREGATIONS.get(expr.op)
    if (expr.param === null || expected === undefined || expected === 'none') return
    this.check(expr.param)
    this.#expectType(expr.param, expected, 'aggregation parameter')
  }
}
