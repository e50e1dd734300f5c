import { quoted } from './quoted.js'
import { tokenize } from './tokens.js'
import { writtenName } from './written-name.js'

/** Whether a part of the query outside parentheses is an alternative, which binds weaker than a further condition. */
export function hasAlternative(query: string): boolean {
  let depth = 0
  for (const { kind, text } of tokenize(query)) {
    if (kind === 'parenthesis') depth += text === '(' ? 1 : -1
    if (kind === 'keyword' && text === 'OR' && depth === 0) return true
  }
  return false
}

/** Whether all that a query finds meets the condition already: it is one of the query's words, none of which is an alternative. */
function hasCondition(query: string, condition: string): boolean {
  const words = ['']
  for (const { kind, text } of tokenize(query)) {
    if (kind === 'parenthesis' || (kind === 'keyword' && text !== 'AND')) return false
    if (kind === 'space') words.push('')
    else words[words.length - 1] += text
  }
  return words.includes(condition)
}

/** `query` with a condition on a field added, once; it applies to all alternatives of the query. */
export function withCondition(query: string, field: string, value: string, isExcluded: boolean): string {
  const condition = `${isExcluded ? '-' : ''}${writtenName(field)}:${quoted(value)}`
  const former = query.trim()
  if (former === '') return condition
  if (hasCondition(former, condition)) return former
  return `${hasAlternative(former) ? `(${former})` : former} ${condition}`
}
