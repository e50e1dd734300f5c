/** Parts of PromQL, written so that any name and any value keeps its meaning. */

const METRIC_NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const LABEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/

/** A condition on a label. */
export interface Matcher {
  readonly label: string
  readonly op: '=' | '!=' | '=~' | '!~'
  readonly value: string
}

/** A string of PromQL in double quotes. */
export function promString(value: string): string {
  const escaped = value.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)
  return `"${escaped}"`
}

/** A label name: plain, or in quotes when it has dots or other characters. */
export function promLabel(name: string): string {
  return LABEL_NAME.test(name) ? name : promString(name)
}

/** Selects the series of a metric. Names with dots are written as Prometheus 3 does: `{"http.server.requests"}`. */
export function selector(metric: string, matchers: readonly Matcher[] = []): string {
  const conditions = matchers.map(({ label, op, value }) => `${promLabel(label)}${op}${promString(value)}`)
  if (METRIC_NAME.test(metric)) return conditions.length === 0 ? metric : `${metric}{${conditions.join(', ')}}`
  return `{${[promString(metric), ...conditions].join(', ')}}`
}
