import type { TokenStream } from './token-stream.js'

/** Keywords that name no metric, and so begin no expression. */
const NO_NAMES: ReadonlySet<string> = new Set(['atan2', 'bool', 'group_left', 'group_right', 'ignoring', 'on'])
const FIRST: ReadonlySet<string> = new Set(['(', '{', '+', '-'])

/** Whether an expression may begin here. */
export function startsExpression(tokens: TokenStream): boolean {
  const { kind, text } = tokens.current
  if (kind === 'operator') return FIRST.has(text)
  return kind === 'word' ? !NO_NAMES.has(text.toLowerCase()) : kind !== 'end'
}
