/** What can be completed at the caret of a PromQL expression. */
export interface CompletionPoint {
  readonly kind: 'metric' | 'label'
  /** Start of the word before the caret. */
  readonly from: number
  readonly prefix: string
  /** Whether the word is inside double quotes: the suggestion then brings none. */
  readonly isQuoted: boolean
  /** Metric whose labels are completed; null when it is not known. */
  readonly metric: string | null
}

const WORD = /[\w:.]*$/

/** Position of the brace that is open at the end of `text`, outside strings; -1 without one. */
function openBrace(text: string): { readonly at: number; readonly isInString: boolean } {
  let at = -1
  let quote = ''
  for (let index = 0; index < text.length; index++) {
    const character = text[index]!
    if (quote !== '') {
      if (character === '\\' && quote !== '`') index++
      else if (character === quote) quote = ''
    } else if (character === '"' || character === "'" || character === '`') quote = character
    else if (character === '{') at = index
    else if (character === '}') at = -1
  }
  return { at, isInString: quote !== '' }
}

/** Metric of the selector whose brace is at `at`: before the brace, or the first string in it. */
function metricOf(text: string, at: number): string | null {
  const before = /[a-zA-Z_:][\w:]*$/.exec(text.slice(0, at))
  if (before) return before[0]
  const inside = /^\{\s*"((?:[^"\\]|\\.)*)"\s*(?:,|$)/.exec(text.slice(at))
  return inside ? inside[1]!.replaceAll(/\\(.)/g, '$1') : null
}

/** Null where nothing is completed: in values of labels and in durations. */
export function completionAt(expression: string, caret: number): CompletionPoint | null {
  const text = expression.slice(0, caret)
  const prefix = WORD.exec(text)![0]
  const from = caret - prefix.length
  const { at, isInString } = openBrace(text)
  if (at < 0)
    return isInString || text.lastIndexOf('[') > text.lastIndexOf(']')
      ? null
      : { kind: 'metric', from, prefix, isQuoted: false, metric: null }
  const lead = text.slice(at + 1, from)
  if (isInString) return /^\s*"$/.test(lead) ? { kind: 'metric', from, prefix, isQuoted: true, metric: null } : null
  return /(?:^|,)\s*$/.test(lead) ? { kind: 'label', from, prefix, isQuoted: false, metric: metricOf(text, at) } : null
}

/** Functions and aggregations that are used most. */
export const FUNCTIONS: readonly string[] = [
  ...['abs', 'absent', 'avg', 'avg_over_time', 'bottomk', 'ceil', 'changes', 'clamp_max', 'clamp_min', 'count'],
  ...['count_over_time', 'delta', 'deriv', 'floor', 'histogram_quantile', 'increase', 'irate', 'label_replace'],
  ...['last_over_time', 'max', 'max_over_time', 'min', 'min_over_time', 'predict_linear', 'quantile'],
  ...['quantile_over_time', 'rate', 'resets', 'round', 'sort_desc', 'stddev', 'sum', 'sum_over_time', 'time', 'topk']
]
