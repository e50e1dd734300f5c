import { formatValue } from '../format-value.js'
import { goNumber } from '../go-number.js'
import { goQuoted } from '../go-quote.js'
import { NAME } from '../labels.js'
import type { LabelMatcher } from '../../../ports/metric-store.js'
import type { Aggregation, Binary, DurationExpr, Expr, NumberLiteral, VectorMatching, VectorSelector } from './ast.js'
import { formatDuration } from './duration.js'
import { MATCHER_SIGNS } from './operators.js'

// Prometheus's own way of writing queries (promql/parser printer.go and prettier.go), for `format_query`.

const MAX_LINE = 100
const INDENT = '  '
const LABEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/
const METRIC_NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/

/** The query in one line. */
export function printExpr(expr: Expr): string {
  return new Printer().print(expr)
}

/** The query over several lines where it is longer than a hundred characters. */
export function printPretty(expr: Expr): string {
  return new Printer().pretty(expr, 0)
}

function labelName(name: string): string {
  return LABEL_NAME.test(name) ? name : goQuoted(name)
}

function labelList(labels: readonly string[]): string {
  return `(${labels.map(labelName).join(', ')})`
}

function fixed({ at }: Pick<VectorSelector, 'at'>): string {
  return at === null ? '' : typeof at === 'string' ? ` @ ${at}()` : ` @ ${(at.atMs / 1000).toFixed(3)}`
}

function offset({ offsetMs, offsetExpr }: Pick<VectorSelector, 'offsetMs' | 'offsetExpr'>): string {
  if (offsetExpr !== undefined) return ` offset ${duration(offsetExpr)}`
  return offsetMs === 0 ? '' : ` offset ${offsetMs < 0 ? '-' : ''}${formatDuration(Math.abs(offsetMs))}`
}

function extended({ extension }: Pick<VectorSelector, 'extension'>): string {
  return extension === undefined ? '' : ` ${extension}`
}

function number({ value, isDuration }: NumberLiteral): string {
  if (!isDuration) return formatValue(value)
  return `${value < 0 ? '-' : ''}${formatDuration(Math.round(Math.abs(value) * 1000))}`
}

function duration(expr: DurationExpr): string {
  if (expr.type === 'number') return number(expr)
  const { op, lhs, rhs, isWrapped } = expr
  const [left, right] = [lhs === null ? '' : duration(lhs), rhs === null ? '' : duration(rhs)]
  const text = rhs === null ? `${op}()` : lhs === null ? `${op === '-' ? op : ''}${right}` : sides(op, left, right)
  return isWrapped ? `(${text})` : text
}

function sides(op: string, left: string, right: string): string {
  return op === 'min_of' || op === 'max_of' ? `${op}(${left}, ${right})` : `${left} ${op} ${right}`
}

function length(ms: number, expr: DurationExpr | undefined): string {
  return expr === undefined ? formatDuration(ms) : duration(expr)
}

function fill({ left, right }: VectorMatching['fill']): string {
  if (left !== null && left === right) return ` fill (${goNumber(left)})`
  return `${left === null ? '' : ` fill_left (${goNumber(left)})`}${right === null ? '' : ` fill_right (${goNumber(right)})`}`
}

function selectorName({ name, matchers }: VectorSelector): { readonly head: string; readonly others: readonly LabelMatcher[] } {
  if (name === null || !METRIC_NAME.test(name)) return { head: '', others: matchers }
  return { head: name, others: matchers.filter(matcher => !(matcher.name === NAME && matcher.op === 'eq')) }
}

function selector(expr: VectorSelector): string {
  const { head, others } = selectorName(expr)
  const strings = others.map(({ name, op, value }) => `${labelName(name)}${MATCHER_SIGNS[op]}${goQuoted(value)}`)
  return strings.length === 0 && head !== '' ? head : `${head}{${strings.sort().join(',')}}`
}

function keys({ labels, isOn, card, include }: VectorMatching): string {
  const isGrouped = card === 'many-to-one' || card === 'one-to-many'
  if (labels.length === 0 && !isOn && !isGrouped) return ''
  const keyed = ` ${isOn ? 'on' : 'ignoring'} ${labelList(labels)}`
  return isGrouped ? `${keyed} group_${card === 'many-to-one' ? 'left' : 'right'} ${labelList(include)}` : keyed
}

function operator({ op, returnsBool, matching: how }: Binary): string {
  return `${op}${returnsBool ? ' bool' : ''}${keys(how)}${fill(how.fill)}`
}

function aggregationHead({ op, grouping, isWithout }: Aggregation): string {
  if (isWithout) return `${op} without ${labelList(grouping)} `
  return grouping.length > 0 ? `${op} by ${labelList(grouping)} ` : op
}

/** Remembers what it printed: each level needs the lengths of the ones below it. */
class Printer {
  readonly #known = new Map<Expr, string>()

  print(expr: Expr): string {
    const known = this.#known.get(expr)
    if (known !== undefined) return known
    const text = this.#print(expr)
    this.#known.set(expr, text)
    return text
  }

  /** The first line has no indentation if it is `headless`: a sign precedes it. */
  pretty(expr: Expr, level: number, isHeadless = false): string {
    const indent = INDENT.repeat(level)
    const head = isHeadless ? '' : indent
    const isLong = this.print(expr).length > MAX_LINE
    const inner = (child: Expr): string => this.pretty(child, level + 1)
    if (expr.type === 'unary') return head + expr.op + this.pretty(expr.expr, level, true)
    // Prometheus does not indent the short ones.
    if (expr.type === 'subquery')
      return isLong ? this.pretty(expr.expr, level, isHeadless) + this.#subqueryEnd(expr) : this.print(expr)
    if (!isLong || expr.type === 'selector' || expr.type === 'matrix') return head + this.print(expr)
    switch (expr.type) {
      case 'aggregation': {
        const param = expr.param === null ? '' : `${inner(expr.param)},\n`
        return `${head}${aggregationHead(expr)}(\n${param}${inner(expr.expr)}\n${indent})`
      }
      case 'binary': {
        const lhs = this.pretty(expr.lhs, level + 1, isHeadless)
        return `${lhs}\n${indent}${operator(expr)}\n${inner(expr.rhs)}`
      }
      case 'call':
        return `${head}${expr.name}(\n${expr.args.map(inner).join(',\n')}\n${indent})`
      case 'paren':
        return `${head}(\n${inner(expr.expr)}\n${indent})`
      default:
        return head + this.print(expr)
    }
  }

  #print(expr: Expr): string {
    switch (expr.type) {
      case 'number':
        return number(expr)
      case 'string':
        return goQuoted(expr.value)
      case 'paren':
        return `(${this.print(expr.expr)})`
      case 'unary':
        return expr.op + this.print(expr.expr)
      case 'selector':
        return selector(expr) + fixed(expr) + extended(expr) + offset(expr)
      case 'matrix': {
        const { selector: of, rangeMs, rangeExpr } = expr
        return `${selector(of)}[${length(rangeMs, rangeExpr)}]${extended(of)}${fixed(of)}${offset(of)}`
      }
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
    const { rangeMs, rangeExpr, stepMs, stepExpr } = expr
    const step = stepMs === null && stepExpr === undefined ? '' : length(stepMs ?? 0, stepExpr)
    return `[${length(rangeMs, rangeExpr)}:${step}]${fixed(expr)}${offset(expr)}`
  }
}
