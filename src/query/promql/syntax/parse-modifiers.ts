import { goNumber } from '../go-number.js'
import type { AtModifier, DurationExpr, DurationOperation, Expr, Extension } from './ast.js'
import { TOO_SHORT, toWholeMs } from './duration.js'
import { parseOffsetDuration, parsePositiveDuration } from './parse-duration.js'
import { parseSignedNumber } from './parse-number.js'
import type { TokenStream } from './token-stream.js'

// What may follow an expression: ranges, `offset`, `@`, `anchored`, `smoothed`.

/** Prometheus takes what is less. */
const MOST_SECONDS = 2 ** 63
const DURATION = 'number, duration, step(), or range()'

type Length = { readonly ms: number; readonly expr: undefined } | { readonly ms: 0; readonly expr: DurationOperation }

/** A duration in milliseconds, or the expression of it for when the query runs. */
function lengthOf(duration: DurationExpr): Length {
  return duration.type === 'number' ? { ms: toWholeMs(duration.value), expr: undefined } : { ms: 0, expr: duration }
}

function positiveLength(tokens: TokenStream, context: string, expected: string): Length {
  const duration = parsePositiveDuration(tokens, () => tokens.unexpected(context, expected))
  const length = lengthOf(duration)
  // Times are whole milliseconds here: less is nothing.
  if (length.expr === undefined && length.ms === 0) throw tokens.error(duration.position.start, TOO_SHORT)
  return length
}

/** `[5m]` or `[5m:1m]` behind an expression. */
export function parseRange(tokens: TokenStream, expr: Expr): Expr {
  const { start } = tokens.take()
  const range = positiveLength(tokens, 'subquery or range selector', DURATION)
  const length = { rangeMs: range.ms, ...(range.expr && { rangeExpr: range.expr }) }
  if (tokens.accept(':')) {
    const step = tokens.isOperator(']')
      ? null
      : positiveLength(tokens, 'subquery selector', `${DURATION.replace(' or', '')}, or "]"`)
    if (!tokens.accept(']')) throw tokens.unexpected('subquery selector', '"]"')
    const position = { start: expr.position.start, end: tokens.lastEnd }
    const stepMs = step === null || step.expr !== undefined ? null : step.ms
    return {
      type: 'subquery',
      expr,
      ...length,
      stepMs,
      ...(step?.expr && { stepExpr: step.expr }),
      offsetMs: 0,
      at: null,
      position
    }
  }
  if (!tokens.accept(']')) throw tokens.unexpected('subquery or range', '":" or "]"')
  if (expr.type !== 'selector') throw tokens.error(start, 'ranges only allowed for vector selectors')
  if (expr.offsetMs !== 0 || expr.offsetExpr !== undefined) throw tokens.error(start, 'no offset modifiers allowed before range')
  if (expr.at !== null) throw tokens.error(start, 'no @ modifiers allowed before range')
  return { type: 'matrix', selector: expr, ...length, position: { start: expr.position.start, end: tokens.lastEnd } }
}

/** `offset 5m` behind an expression. */
export function parseOffset(tokens: TokenStream, expr: Expr): Expr {
  tokens.take()
  const { ms, expr: offsetExpr } = lengthOf(parseOffsetDuration(tokens))
  return shifted(tokens, expr, 'offset', { offsetMs: ms, ...(offsetExpr && { offsetExpr }) })
}

/** `anchored` or `smoothed` behind an expression. */
export function parseExtension(tokens: TokenStream, expr: Expr, extension: Extension): Expr {
  const at = expr.position.start
  tokens.take()
  tokens.checkExperimental(at, `${extension} modifier is experimental and not enabled`)
  if (expr.type === 'subquery') throw tokens.error(at, `${extension} modifier is not supported for subqueries`)
  if (expr.type !== 'selector' && expr.type !== 'matrix') throw tokens.error(at, `${extension} modifier not implemented`)
  const before = expr.type === 'selector' ? expr.extension : expr.selector.extension
  if (before !== undefined && before !== extension) {
    throw tokens.error(at, 'anchored and smoothed modifiers cannot be used together')
  }
  return expr.type === 'selector' ? { ...expr, extension } : { ...expr, selector: { ...expr.selector, extension } }
}

/** `@ 1609746000`, `@ start()` behind an expression. */
export function parseAt(tokens: TokenStream, expr: Expr): Expr {
  tokens.take()
  return shifted(tokens, expr, '@', { at: atModifier(tokens, expr.position.start) })
}

function atModifier(tokens: TokenStream, at: number): AtModifier {
  for (const word of ['start', 'end'] as const) {
    if (!tokens.acceptWord(word)) continue
    if (!tokens.accept('(') || !tokens.accept(')')) throw tokens.unexpected('@', 'timestamp')
    return word
  }
  const seconds = parseSignedNumber(tokens, () => tokens.unexpected('@', 'timestamp'))
  if (!(Math.abs(seconds) < MOST_SECONDS)) throw tokens.error(at, `timestamp out of bounds for @ modifier: ${plain(seconds)}`)
  return { atMs: Math.round(seconds * 1_000) }
}

/** Without an exponent, in the format of Prometheus. */
function plain(seconds: number): string {
  if (!Number.isFinite(seconds)) return goNumber(seconds)
  return `${BigInt(Math.trunc(seconds))}.000000`
}

type Shift = { readonly at: AtModifier } | { readonly offsetMs: number; readonly offsetExpr?: DurationOperation }

function shifted(tokens: TokenStream, expr: Expr, what: 'offset' | '@', shift: Shift): Expr {
  const { start } = expr.position
  const end = tokens.lastEnd
  if (expr.type === 'matrix') {
    const selector = shifted(tokens, expr.selector, what, shift)
    return selector.type === 'selector' ? { ...expr, selector, position: { start, end } } : expr
  }
  if (expr.type !== 'selector' && expr.type !== 'subquery') {
    throw tokens.error(
      start,
      `${what} modifier must be preceded by an instant vector selector or range vector selector or a subquery`
    )
  }
  const isTwice = what === 'offset' ? expr.offsetMs !== 0 || expr.offsetExpr !== undefined : expr.at !== null
  if (isTwice) throw tokens.error(start, `${what === '@' ? '@ <timestamp>' : what} may not be set multiple times`)
  return { ...expr, ...shift, position: { start, end } }
}
