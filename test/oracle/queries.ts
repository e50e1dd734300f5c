import { LATEST_QUERIES } from './latest-queries.js'
import { END_MS } from './world.js'

// The queries that were sent to Prometheus. A changed list has to be recorded again: see record.ts.

const END_S = END_MS / 1000
const RANGE = ['rate', 'increase', 'delta', 'irate', 'idelta', 'changes', 'resets', 'deriv']
const OVER_TIME = ['avg', 'min', 'max', 'sum', 'count', 'last', 'stddev', 'stdvar', 'present', 'absent']
const EXPERIMENTAL = [
  'mad_over_time',
  'first_over_time',
  'ts_of_first_over_time',
  'ts_of_last_over_time',
  'ts_of_max_over_time',
  'ts_of_min_over_time'
]
const MATH = [
  ...[
    'abs',
    'ceil',
    'floor',
    'exp',
    'ln',
    'log2',
    'log10',
    'sqrt',
    'sgn',
    'sin',
    'cos',
    'tan',
    'asin',
    'acos',
    'atan',
    'sinh',
    'cosh'
  ],
  ...['tanh', 'asinh', 'acosh', 'atanh', 'deg', 'rad', 'timestamp', 'absent', 'sort', 'sort_desc'],
  ...['minute', 'hour', 'day_of_week', 'day_of_month', 'day_of_year', 'days_in_month', 'month', 'year']
]
const AGGREGATIONS = ['sum', 'avg', 'min', 'max', 'count', 'group', 'stddev', 'stdvar']
const OPERATORS = ['+', '-', '*', '/', '%', '^', 'atan2', '==', '!=', '>', '<', '>=', '<=', '== bool', '> bool', '<= bool']

const GENERATED = [
  ...[...RANGE, ...OVER_TIME.map(name => `${name}_over_time`), ...EXPERIMENTAL].flatMap(name => [
    `${name}(requests_total{host="h1"}[2m])`,
    `${name}(flicker[90s])`,
    `${name}(odd{host="h0"}[1m])`,
    `${name}(gap{host="h0"}[10m:45s] offset 3m)`
  ]),
  ...MATH.flatMap(name => [`${name}(heat{host=~"h[01]"})`, `${name}(odd{host="h2"})`]),
  ...AGGREGATIONS.flatMap(name => [`${name}(heat)`, `${name} by (zone) (heat)`, `${name} without (host, side) (odd)`]),
  ...OPERATORS.flatMap(op => [`heat{side=""} ${op} on (host) odd`, `odd ${op} 1`, `2 ${op} heat{host="h1"}`])
]

const WRITTEN = [
  ...['heat', 'heat{side=""}', 'heat{side!=""}', 'heat{host=~"h0|h2"}', 'heat{host!~"h[01]"}', '{__name__=~"he.*",side="back"}'],
  ...['{"heat",host="h1"}', 'nothing', 'flicker', 'gap', 'heat offset 5m', 'heat offset -1m', 'gap offset 20m', 'heat @ start()'],
  ...[
    'heat @ end() offset 1m',
    `heat @ ${END_S - 600}`,
    `rate(requests_total[5m] @ ${END_S - 600.5})`,
    'sum_over_time(heat[5m:] @ end())'
  ],
  ...[
    'vector(1)',
    'time()',
    'vector(time() % 7)',
    'scalar(heat{host="h0",side=""})',
    'scalar(heat)',
    'pi()',
    '1 + 2 * 3 ^ 2',
    '-2 ^ 2'
  ],
  ...[
    '1 / 0',
    '-1 / 0',
    '0 / 0',
    '1e-9',
    '0x1F',
    '1_000',
    '5m',
    'Inf',
    '-Inf',
    'NaN',
    '1 == bool 1',
    '"text"',
    'minute()',
    'hour(vector(1136239445))'
  ],
  ...['topk(2, heat)', 'bottomk(2, heat)', 'topk by (zone) (1, heat)', 'topk(0, heat)', 'topk(100, heat)', 'quantile(0.3, heat)'],
  ...[
    'quantile by (zone) (0.9, odd)',
    'quantile(2, heat)',
    'quantile(-1, heat)',
    'quantile(NaN, heat)',
    'count_values("v", build)'
  ],
  ...['count_values by (zone) ("v", odd)', 'limitk(2, heat)', 'count(limitk by (zone) (1, heat))', 'topk(NaN, heat)'],
  ...[
    'heat and on (host) build{version="1"}',
    'heat unless on (host) build{version="1"}',
    'heat{host="h0"} or heat',
    'heat or on (zone) vector(1)'
  ],
  ...[
    'heat{side=""} * on (host) group_left (version) build',
    'build * on (host) group_right heat{side=""}',
    'heat * on (host) build'
  ],
  ...[
    'build * on (zone) heat',
    'heat * on () nothing',
    'nothing * on () heat',
    'heat / ignoring (side) group_left heat{side=""}'
  ],
  ...[
    'heat{side=""} + heat{side="back"}',
    'heat{side=""} > ignoring (side) heat{side="back"}',
    'sum(requests_total) / on () group_left sum(build)'
  ],
  ...['requests_total{code="500"} / ignoring (code) requests_total{code="200"}', 'requests_total / on (host) requests_total'],
  ...[
    'label_replace(heat, "to", "$1-x", "host", "h(.)")',
    'label_replace(heat, "to", "${n}", "host", "h(?P<n>.)")',
    'label_replace(heat, "host", "", "host", ".*")'
  ],
  ...[
    'label_replace(heat, "host", "same", "", "")',
    'label_join(heat, "to", "-", "host", "zone", "nope")',
    'label_join(heat, "to", "-")'
  ],
  ...['histogram_quantile(0.9, rate(latency_bucket[5m]))', 'histogram_quantile(0.5, sum by (le) (rate(latency_bucket[5m])))'],
  ...[
    'histogram_quantile(1.2, latency_bucket)',
    'histogram_quantile(-1, latency_bucket)',
    'histogram_quantile(NaN, latency_bucket)',
    'histogram_quantile(0.9, heat)'
  ],
  ...[
    'clamp(heat, 10, 30)',
    'clamp(heat, 30, 10)',
    'clamp_min(odd, 0)',
    'clamp_max(odd, NaN)',
    'round(heat, 0.5)',
    'round(heat)',
    'round(odd, 0)',
    '-heat',
    '+odd'
  ],
  ...[
    'quantile_over_time(0.7, odd[3m])',
    'quantile_over_time(2, heat[3m])',
    'predict_linear(heat[5m], 600)',
    'predict_linear(odd[1m], 60)'
  ],
  ...[
    'double_exponential_smoothing(heat[5m], 0.3, 0.6)',
    'double_exponential_smoothing(heat[5m], 1, 0.6)',
    'sort_by_label(heat, "zone", "host")'
  ],
  ...[
    'max_over_time(sum(rate(requests_total[2m]))[10m:1m])',
    'avg_over_time(rate(requests_total{host="h1"}[1m])[5m:20s] offset 2m)'
  ],
  ...[
    'max_over_time(max_over_time(heat{host="h0"}[1m])[5m:30s])[5m:1m]',
    'absent(nothing{a="b",c=~"d"})',
    'absent(sum(nothing))',
    'absent_over_time(nothing{a="b"}[5m])'
  ],
  ...[
    'sum(heat) + on () group_left count(heat)',
    'count(heat) by (zone) > 1',
    'avg(heat) without (host)',
    'heat{side=""} == bool on (host) odd'
  ],
  ...[
    'timestamp(heat{side=""})',
    'timestamp(timestamp(heat{side=""}))',
    'timestamp(heat{side=""} offset 1m)',
    'day_of_year()',
    'year(vector(-1))',
    'days_in_month(vector(951782400))'
  ],
  // These fail.
  ...[
    'heat +',
    'rate(heat)',
    'heat[5m]',
    'sum(heat',
    'heat{host="h0"',
    'unknown(heat)',
    'heat offset 1m offset 2m',
    'heat[5m] offset',
    '{}',
    '{a=""}'
  ],
  ...[
    'heat and 1',
    '1 == 1',
    'sum("a")',
    'topk(heat)',
    'heat{host=~"("}',
    'label_replace(heat, "a", "b", "c", "(")',
    'rate(heat[0s])',
    'heat @ nope'
  ],
  ...[
    'count_values("", heat)',
    'heat * on (host) group_left (host) build',
    'heat bool',
    'sum by (a,) (heat) by (b)',
    '"a" + 1',
    'rate(sum(heat)[5m])'
  ]
]

/** Each query once. */
export const ORACLE_QUERIES: readonly string[] = [...new Set([...WRITTEN, ...GENERATED, ...LATEST_QUERIES])]

/** Steps of `query_range`: seconds. */
export const ORACLE_RANGE = { start: END_S - 1_500, end: END_S - 60, step: 160 }
