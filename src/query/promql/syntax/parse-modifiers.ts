import type { AtModifier, Expr } from './ast.js'
import { parseDurationMs } from './duration.js'
import type { TokenStream } from './token-stream.js'

// What may follow an expression: ranges, `offset`, `@`.

/** A number as a query writes it. */
export function toNumber(text: string): number {
  return Number(text.replaceAll('_', ''))
}

/** `[5m]` or `[5m:1m]` behind an expression. */
export function parseRange(tokens: TokenStream, expr: Expr): Expr {
  const { start } = tokens.take()
  const rangeMs = parseDuration(tokens, 'range')
  if (rangeMs <= 0) throw tokens.error(start, 'duration must be greater than 0')
  if (tokens.accept(':')) {
    const stepMs = tokens.isOperator(']') ? null : parseDuration(tokens, 'subquery')
    if (stepMs !== null && stepMs <= 0) throw tokens.error(start, 'duration must be greater than 0')
    tokens.expect(']', 'subquery selector')
    const position = { start: expr.position.start, end: tokens.lastEnd }
    return { type: 'subquery', expr, rangeMs, stepMs, offsetMs: 0, at: null, position }
  }
  tokens.expect(']', 'matrix selector')
  if (expr.type !== 'selector') throw tokens.error(start, 'ranges only allowed for vector selectors')
  if (expr.offsetMs !== 0) throw tokens.error(start, 'no offset modifiers allowed before range')
  if (expr.at !== null) throw tokens.error(start, 'no @ modifiers allowed before range')
  return { type: 'matrix', selector: expr, rangeMs, position: { start: expr.position.start, end: tokens.lastEnd } }
}

/** A duration, or a number of seconds, in milliseconds. */
export function parseDuration(tokens: TokenStream, context: string): number {
  const token = tokens.current
  const ms =
    token.kind === 'duration' ? parseDurationMs(token.text) : token.kind === 'number' ? toNumber(token.text) * 1000 : null
  if (ms === null || !Number.isFinite(ms)) throw tokens.unexpected(`${context} selector`, 'number or duration')
  tokens.take()
  return Math.round(ms)
}

function signedDuration(tokens: TokenStream, context: string): number {
  const isNegative = tokens.accept('-')
  if (!isNegative) tokens.accept('+')
  const ms = parseDuration(tokens, context)
  return isNegative ? -ms : ms
}

/** `offset 5m` behind an expression. */
export function parseOffset(tokens: TokenStream, expr: Expr): Expr {
  const { start } = tokens.take()
  const offsetMs = signedDuration(tokens, 'offset')
  return shifted(tokens, expr, start, 'offset', { offsetMs })
}

/** `@ 1609746000`, `@ start()` behind an expression. */
export function parseAt(tokens: TokenStream, expr: Expr): Expr {
  const { start } = tokens.take()
  return shifted(tokens, expr, start, '@', { at: atModifier(tokens) })
}

function atModifier(tokens: TokenStream): AtModifier {
  for (const word of ['start', 'end'] as const) {
    if (!tokens.acceptWord(word)) continue
    tokens.expect('(', '@')
    tokens.expect(')', '@')
    return word
  }
  const isNegative = tokens.accept('-')
  if (!isNegative) tokens.accept('+')
  const token = tokens.take()
  const ms =
    token.kind === 'number' ? toNumber(token.text) * 1000 : token.kind === 'duration' ? parseDurationMs(token.text) : null
  if (ms === null || !Number.isFinite(ms)) {
    throw tokens.error(token.start, 'timestamp of the @ modifier must be a finite number')
  }
  return { atMs: Math.round(ms) * (isNegative ? -1 : 1) }
}

function shifted(
  tokens: TokenStream,
  expr: Expr,
  at: number,
  what: 'offset' | '@',
  shift: { offsetMs?: number; at?: AtModifier }
): Expr {
  const end = tokens.lastEnd
  if (expr.type === 'matrix') {
    const selector = shifted(tokens, expr.selector, at, what, shift)
    return selector.type === 'selector' ? { ...expr, selector, position: { ...expr.position, end } } : expr
  }
  if (expr.type !== 'selector' && expr.type !== 'subquery') {
    throw tokens.error(
      at,
      `${what} modifier must be preceded by an instant vector selector or range vector selector or a subquery`
    )
  }
  const isTwice = what === 'offset' ? expr.offsetMs !== 0 : expr.at !== null
  if (isTwice) throw tokens.error(at, `${what} may not be set multiple times`)
  return { ...expr, ...shift, position: { ...expr.position, end } }
}
