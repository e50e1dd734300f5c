const DAY_S = 86_400

/** A query that is as expensive as possible, and its times. */
export interface HostileQuery {
  readonly name: string
  readonly query: string
  /** Seconds before now, and between two steps; an hour by 15 s when absent. */
  readonly spanS?: number
  readonly stepS?: number
}

/** They select the series of `fillHostile`. */
export const HOSTILE_QUERIES: readonly HostileQuery[] = [
  { name: 'subqueries of subqueries', query: 'max_over_time(sum_over_time(rate(x[5m])[30m:1s])[30m:15s])' },
  { name: 'subqueries of numbers', query: 'sum_over_time(sum_over_time(vector(time())[30d:1s])[30d:1s])' },
  { name: 'quantiles of long windows', query: 'quantile_over_time(0.5, x[1h])' },
  { name: 'quantiles of a subquery', query: 'quantile_over_time(0.5, x[30m:1s])' },
  { name: 'deviations', query: 'mad_over_time(vector(time())[20d:1s])' },
  { name: 'every series with every other', query: 'count(x * on () group_right () x)' },
  { name: 'sets of sets', query: 'count by (b) ((x or y) and on (a) (y unless on (b) x) or (x and on (b) y))' },
  { name: 'text of every value', query: 'count_values("v", rate(x[5m]) * on (a, b) group_left () x)' },
  { name: 'a regex of alternatives', query: `count({a=~"${'(a|b|ab)*'.repeat(40)}c.*"})` },
  { name: 'a regex for every label', query: '{__name__=~".*.*.*.*1", a=~"(.+)+0", b!~"(a*)*b9"}' },
  { name: 'labels rewritten', query: 'label_replace(label_join(x, "c", "-", "a", "b"), "d", "$2$1", "c", "(.*)-(.*)")' },
  { name: 'labels by a slow regex', query: `label_replace(x, "d", "$1", "b", "${'(a|b|[0-9])*'.repeat(40)}")` },
  { name: 'what is absent', query: 'absent_over_time(x[1h:1s]) or absent(sum_over_time(y[1h:1s]))' },
  { name: 'quantiles of all buckets', query: 'histogram_quantile(0.9, rate(h_bucket[30m]))', spanS: 10_000, stepS: 1 },
  { name: 'sorted by labels', query: 'sort_by_label(label_replace(x, "c", "$1", "b", "b(.*)"), "c", "a")', spanS: 0 },
  { name: 'eleven thousand steps', query: 'rate(x[10m])', spanS: 10_999, stepS: 1 },
  { name: 'more steps than allowed', query: 'x', spanS: 30 * DAY_S, stepS: 1 },
  { name: 'every series there is', query: '{__name__!=""}' },
  { name: 'deeply nested', query: `${'abs(-'.repeat(90)}x${')'.repeat(90)}` },
  { name: 'nested too deeply', query: `${'('.repeat(400)}x${')'.repeat(400)}` },
  { name: 'many operators', query: `count(x${'+x'.repeat(400)})` }
]
