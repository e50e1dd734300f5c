import type { LogFilter } from '../api/generated/LogRows.js'
import { quoted } from '../query/quoted.js'
import { withCondition } from '../query/with-condition.js'
import { chosenValues } from './log-filter.js'

/** One string of the search language for a filter of the page: its query and its chosen values. */
export function filterText(filter: LogFilter): string {
  let text = filter.query ?? ''
  for (const [field, values] of Object.entries(chosenValues(filter))) {
    if (!values?.length) continue
    if (values.length === 1) text = withCondition(text, field, values[0]!, false)
    else {
      // A pair of parentheses keeps alternatives of the query apart from the further condition.
      const before = text.trim() === '' ? '' : `(${text.trim()}) `
      text = `${before}${field}:(${values.map(quoted).join(' OR ')})`
    }
  }
  return text
}
