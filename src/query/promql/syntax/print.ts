import { formatValue } from '../format-value.js'
import { NAME } from '../labels.js'
import type { LabelMatcher } from '../../../ports/metric-store.js'
import type { Aggregation, Binary, Expr, VectorMatching, VectorSelector } from './ast.js'
import { formatDuration } from './duration.js'

// Prometheus's own way of writing queries (promql/parser printer.go and prettier.go), for `format_query`.

const MAX_LINE = 100
const INDENT = '  '
const LABEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/
const METRIC_NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const OPERATORS: Readonly<Record<LabelMatcher['op'], string>> = { eq: '=', neq: '!=', regex: '=~', not_regex: '!~' }

/** The query in one line. */
export function printExpr(expr: Expr): string {
  return new Printer().print(expr)
}

/** The query over several lines where it is longer than a hundred characters. */
export function printPretty(expr: Expr): string {
  return new Printer().pretty(expr, 0)
}

function labelName(name: string): string {
  return LABEL_NAME.test(name) ? name : JSON.stringify(name)
}

function labelList(labels: readonly string[]): string {
  return `(${labels.map(labelName).join(', ')})`
}

function shift({ offsetMs, at }: Pick<VectorSelector, 'offsetMs' | 'at'>): string {
  const fixed = at === null ? '' : typeof at === 'string' ? ` @ ${at}()` : ` @ ${(at.atMs / 1000).toFixed(3)}`
  if (offsetMs === 0) return fixed
  return `${fixed} offset ${offsetMs < 0 ? '-' : ''}${formatDuration(Math.abs(offsetMs))}`
}

function selectorName({ name, matchers }: VectorSelector): { readonly head: string; readonly others: readonly LabelMatcher[] } {
  if (name === null || !METRIC_NAME.test(name)) return { head: '', others: matchers }
  return { head: name, others: matchers.filter(matcher => !(matcher.name === NAME && matcher.op === 'eq')) }
}

function selector(expr: VectorSelector): string {
  const { head, others } = selectorName(expr)
  const texts = others.map(({ name, op, value }) => `${labelName(name)}${OPERATORS[op]}${JSON.stringify(value)}`)
  return texts.length === 0 && head !== '' ? head : `${head}{${texts.sort().join(',')}}`
}

function matching({ labels, isOn, card, include }: VectorMatching): string {
  const isGrouped = card === 'many-to-one' || card === 'one-to-many'
  if (labels.length === 0 && !isOn && !isGrouped) return ''
  const keyed = ` ${isOn ? 'on' : 'ignoring'} ${labelList(labels)}`
  return isGrouped ? `${keyed} group_${card === 'many-to-one' ? 'left' : 'right'} ${labelList(include)}` : keyed
}

function operator({ op, returnsBool, matching: how }: Binary): string {
  return `${op}${returnsBool ? ' bool' : ''}${matching(how)}`
}

function aggregationHead({ op, grouping, isWithout }: Aggregation): string {
  if (isWithout) return `${op} without ${labelList(grouping)} `
  return grouping.length > 0 ? `${op} by ${labelList(grouping)} ` : op
}

/** Remembers what it printed: each level asks how long the ones below it are. */
class Printer {
  readonly #known = new Map<Expr, string>()

  print(expr: Expr): string {
    const known = this.#known.get(expr)
    if (known !== undefined) return known
    const text = this.#print(expr)
    this.#known.set(expr, text)
    return text
  }

  pretty(expr: Expr, level: number): string {
    const indent = INDENT.repeat(level)
    const isLong = this.print(expr).length > MAX_LINE
    const inner = (child: Expr): string => this.pretty(child, level + 1)
    if (expr.type === 'unary') return `${indent}${expr.op}${this.pretty(expr.expr, level).trim()}`
    if (isLong && expr.type === 'subquery') return this.pretty(expr.expr, level) + this.#subqueryEnd(expr)
    if (!isLong || expr.type === 'selector' || expr.type === 'matrix') return indent + this.print(expr)
    switch (expr.type) {
      case 'aggregation': {
        const param = expr.param === null ? '' : `${inner(expr.param)},\n`
        return `${indent}${aggregationHead(expr)}(\n${param}${inner(expr.expr)}\n${indent})`
      }
      case 'binary':
        return `${inner(expr.lhs)}\n${indent}${operator(expr)}\n${inner(expr.rhs)}`
      case 'call':
        return `${indent}${expr.name}(\n${expr.args.map(inner).join(',\n')}\n${indent})`
      case 'paren':
        return `${indent}(\n${inner(expr.expr)}\n${indent})`
      default:
        return indent + this.print(expr)
    }
  }

  #print(expr: Expr): string {
    switch (expr.type) {
      case 'number':
        return expr.isDuration ? formatDuration(Math.round(expr.value * 1000)) : formatValue(expr.value)
      case 'string':
        return JSON.stringify(expr.value)
      case 'paren':
        return `(${this.print(expr.expr)})`
      case 'unary':
        return expr.op + this.print(expr.expr)
      case 'selector':
        return selector(expr) + shift(expr)
      case 'matrix':
        return `${selector(expr.selector)}[${formatDuration(expr.rangeMs)}]${shift(expr.selector)}`
      case 'subquery':
        return this.print(expr.expr) + this.#subqueryEnd(expr)
      case 'binary':
        return `${this.print(expr.lhs)} ${operator(expr)} ${this.print(expr.rhs)}`
      case 'aggregation': {
        const param = expr.param === null ? '' : `${this.print(expr.param)}, `
        return `${aggregationHead(expr)}(${param}${this.print(expr.expr)})`
      }
      default:
        return `${expr.name}(${expr.args.map(arg => this.print(arg)).join(', ')})`
    }
  }

  #subqueryEnd(expr: Extract<Expr, { type: 'subquery' }>): string {
    const step = expr.stepMs === null ? '' : formatDuration(expr.stepMs)
    return `[${formatDuration(expr.rangeMs)}:${step}]${shift(expr)}`
  }
}
