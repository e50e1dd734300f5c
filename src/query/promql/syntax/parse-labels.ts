import type { FillValues, VectorMatching } from './ast.js'
import { isSetOperator } from './operators.js'
import { parseSignedNumber } from './parse-number.js'
import { startsExpression, type TokenStream } from './token-stream.js'

// Lists of labels behind operators and aggregations.

const CONTEXT = 'grouping opts'

function labelList(tokens: TokenStream): readonly string[] {
  const labels: string[] = []
  tokens.expect('(', CONTEXT)
  while (!tokens.accept(')')) {
    const { kind } = tokens.current
    if (kind !== 'word' && kind !== 'string') throw tokens.unexpected(CONTEXT, 'label')
    labels.push(tokens.take().text)
    if (!tokens.accept(',') && !tokens.isOperator(')')) throw tokens.unexpected(CONTEXT, '"," or ")"')
  }
  return labels
}

/** The number in the parentheses behind `fill`. */
function fillValue(tokens: TokenStream): number {
  tokens.take()
  tokens.expect('(', null)
  const value = parseSignedNumber(tokens, () => tokens.unexpected(null))
  tokens.expect(')', null)
  return value
}

/** Whether values to fill in follow. */
export function isFill(tokens: TokenStream): boolean {
  return ['fill', 'fill_left', 'fill_right'].some(word => isFillBy(tokens, word))
}

function isFillBy(tokens: TokenStream, word: string): boolean {
  return tokens.isWord(word) && tokens.following.kind === 'operator' && tokens.following.text === '('
}

/** `fill`, `fill_left`, `fill_right`: names like others where no parenthesis follows. */
function parseFill(tokens: TokenStream): FillValues {
  const isHere = (word: string): boolean => isFillBy(tokens, word)
  if (isHere('fill')) {
    const value = fillValue(tokens)
    return { left: value, right: value }
  }
  let [left, right]: (number | null)[] = [null, null]
  for (;;) {
    if (left === null && isHere('fill_left')) left = fillValue(tokens)
    else if (right === null && isHere('fill_right')) right = fillValue(tokens)
    else return { left: left!, right: right! }
  }
}

/** `on` or `ignoring`, `group_left` or `group_right`, and `fill`, behind an operator. */
export function parseMatching(tokens: TokenStream, op: string): VectorMatching {
  const matching = parseKeys(tokens, op)
  return { ...matching, fill: parseFill(tokens) }
}

function parseKeys(tokens: TokenStream, op: string): Omit<VectorMatching, 'fill'> {
  const card = isSetOperator(op) ? 'many-to-many' : 'one-to-one'
  const isOn = tokens.isWord('on')
  if (!isOn && !tokens.isWord('ignoring')) return { card, labels: [], isOn: false, include: [] }
  tokens.take()
  const labels = labelList(tokens)
  const side = tokens.isWord('group_left') ? 'many-to-one' : tokens.isWord('group_right') ? 'one-to-many' : null
  if (side === null) return { card, labels, isOn, include: [] }
  tokens.take()
  const include = tokens.isOperator('(') || !startsExpression(tokens) ? labelList(tokens) : []
  return { card: side, labels, isOn, include }
}

/** `by` or `without`, if one of them is next. */
export function parseGrouping(tokens: TokenStream): { readonly labels: readonly string[]; readonly isWithout: boolean } | null {
  const isWithout = tokens.isWord('without')
  if (!isWithout && !tokens.isWord('by')) return null
  tokens.take()
  return { labels: labelList(tokens), isWithout }
}
