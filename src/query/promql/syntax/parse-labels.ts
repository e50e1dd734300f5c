import type { VectorMatching } from './ast.js'
import { isSetOperator } from './operators.js'
import type { TokenStream } from './token-stream.js'

// Lists of labels behind operators and aggregations.

function labelList(tokens: TokenStream, context: string): readonly string[] {
  const labels: string[] = []
  tokens.expect('(', context)
  while (!tokens.accept(')')) {
    const { kind } = tokens.current
    if (kind !== 'word' && kind !== 'string') throw tokens.unexpected(`${context} opts`, 'label')
    labels.push(tokens.take().text)
    if (!tokens.accept(',') && !tokens.isOperator(')')) throw tokens.unexpected(`${context} opts`, '"," or ")"')
  }
  return labels
}

/** `on` or `ignoring`, and `group_left` or `group_right`, behind an operator. */
export function parseMatching(tokens: TokenStream, op: string): VectorMatching {
  const card = isSetOperator(op) ? 'many-to-many' : 'one-to-one'
  const isOn = tokens.isWord('on')
  if (!isOn && !tokens.isWord('ignoring')) return { card, labels: [], isOn: false, include: [] }
  tokens.take()
  const labels = labelList(tokens, 'vector matching')
  const side = tokens.isWord('group_left') ? 'many-to-one' : tokens.isWord('group_right') ? 'one-to-many' : null
  if (side === null) return { card, labels, isOn, include: [] }
  const { start } = tokens.take()
  if (isSetOperator(op)) throw tokens.error(start, `no grouping allowed for "${op}" operation`)
  const include = tokens.isOperator('(') ? labelList(tokens, 'grouping') : []
  const twice = include.find(label => isOn && labels.includes(label))
  if (twice !== undefined)
    throw tokens.error(start, `label ${JSON.stringify(twice)} must not occur in ON and GROUP clause at once`)
  return { card: side, labels, isOn, include }
}

/** `by` or `without`, if one of them stands here. */
export function parseGrouping(tokens: TokenStream): { readonly labels: readonly string[]; readonly isWithout: boolean } | null {
  const isWithout = tokens.isWord('without')
  if (!isWithout && !tokens.isWord('by')) return null
  tokens.take()
  return { labels: labelList(tokens, 'grouping'), isWithout }
}
