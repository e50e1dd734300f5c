import { type ExpansionBudget, MAX_EXPANDED_CHARS } from './expansion-budget.js'
import { TemplateError } from './template-error.js'

const TEMPLATE = /\$(?:\$|\{(\w+)\}|(\w+))/g

interface Groups {
  group(name: number | string): string | null
}

function groupOf(matcher: Groups, name: string): string {
  try {
    return matcher.group(/^\d+$/.test(name) ? Number(name) : name) ?? ''
  } catch {
    // As Go: a group that the expression does not have is empty.
    return ''
  }
}

/** Go's `regexp.Expand`: `$1`, `${name}`, `$$`. */
function expand(replacement: string, matcher: Groups): string {
  return replacement.replace(TEMPLATE, (_, braced: string | undefined, plain: string | undefined) => {
    const name = braced ?? plain
    return name === undefined ? '$' : groupOf(matcher, name)
  })
}

/** Go's `ReplaceAllString`. Throws `TemplateError` for an invalid regex, and when the result is too long. */
export function replaceAll(budget: ExpansionBudget, pattern: string, replacement: string, text: string): string {
  const matcher = budget.regex(pattern, text.length).matcher(text)
  let result = ''
  let end = 0
  while (matcher.find()) {
    budget.step()
    result += text.slice(end, matcher.start()) + expand(replacement, matcher)
    end = matcher.end()
    if (result.length > MAX_EXPANDED_CHARS)
      throw new TemplateError(`an expanded template exceeds ${MAX_EXPANDED_CHARS} characters`)
  }
  return result + text.slice(end)
}
