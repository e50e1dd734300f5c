import { expect, it } from '@jest/globals'
import { type NativeHistogram, NO_BOUNDS, NO_BUCKETS } from '../../../../src/domain/native-histogram/native-histogram.js'
import { SIGNATURES } from '../../../../src/query/promql/functions/signatures.js'
import { everyMinute, PromqlBench } from '../../../support/promql.js'

const NATIVE: NativeHistogram = {
  ...{ schema: 0, count: 4, sum: 4, zeroThreshold: 0, zeroCount: 0, hint: 'unknown' },
  ...{ positive: { indexes: Int32Array.of(0, 1, 2), counts: Float64Array.of(1, 2, 1) }, negative: NO_BUCKETS, bounds: NO_BOUNDS }
}

const bench = new PromqlBench([
  everyMinute({ __name__: 'c', i: 'x' }, 0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100),
  // A counter that was reset once.
  everyMinute({ __name__: 'r' }, 0, 30, 60, 10, 40, 70),
  everyMinute({ __name__: 'g', i: 'x' }, 2, -4, 6, 6, Number.NaN, -0.5),
  everyMinute({ __name__: 'v', i: 'a10' }, null, null, null, null, null, 1.5),
  everyMinute({ __name__: 'v', i: 'a2' }, null, null, null, null, null, -2.5),
  ...[
    ['0.1', 10],
    ['0.5', 30],
    ['1', 40],
    ['+Inf', 50]
  ].map(([le, count]) =>
    everyMinute({ __name__: 'h_bucket', le: String(le) }, ...Array.from({ length: 6 }, () => Number(count)))
  ),
  // (0.5,1]: 1, (1,2]: 2, (2,4]: 1
  everyMinute({ __name__: 'n' }, ...Array.from({ length: 6 }, () => NATIVE)),
  // 2024-02-29T13:45:59Z
  everyMinute({ __name__: 'leap' }, ...Array.from({ length: 6 }, () => 1_709_214_359))
])

/** By function: a query at minute 5, and the lines of its response. */
const CASES: Readonly<Record<string, readonly (readonly [query: string, ...response: string[]])[]>> = {
  abs: [['abs(v)', '{i=a10} 1.5', '{i=a2} 2.5']],
  absent: [['absent(v)'], ['absent(nothing{a="b",c=~"d"})', '{a=b} 1'], ['absent(sum(nothing))', '{} 1']],
  absent_over_time: [['absent_over_time(v[1m])'], ['absent_over_time(nothing{a="b"}[5m])', '{a=b} 1']],
  acos: [['acos(vector(1))', '{} 0']],
  acosh: [['acosh(vector(1))', '{} 0']],
  asin: [['asin(vector(0))', '{} 0']],
  asinh: [['asinh(vector(0))', '{} 0']],
  atan: [['atan(vector(0))', '{} 0']],
  atanh: [['atanh(vector(0))', '{} 0']],
  avg_over_time: [['avg_over_time(c[3m])', '{i=x} 40']],
  ceil: [['ceil(v)', '{i=a10} 2', '{i=a2} -2']],
  changes: [
    ['changes(g[10m])', '{i=x} 4'],
    ['changes(c[3m])', '{i=x} 2']
  ],
  clamp: [['clamp(v, -1, 1)', '{i=a10} 1', '{i=a2} -1'], ['clamp(v, 1, -1)']],
  clamp_max: [['clamp_max(v, 0)', '{i=a10} 0', '{i=a2} -2.5']],
  clamp_min: [['clamp_min(v, 0)', '{i=a10} 1.5', '{i=a2} 0']],
  cos: [['cos(vector(0))', '{} 1']],
  cosh: [['cosh(vector(0))', '{} 1']],
  count_over_time: [['count_over_time(c[3m])', '{i=x} 3']],
  day_of_month: [
    ['day_of_month(leap)', '{} 29'],
    ['day_of_month()', '{} 1']
  ],
  day_of_week: [['day_of_week(leap)', '{} 4']],
  day_of_year: [['day_of_year(leap)', '{} 60']],
  days_in_month: [['days_in_month(leap)', '{} 29']],
  deg: [['deg(vector(pi()))', '{} 180']],
  delta: [['delta(g[3m])', '{i=x} -9.75'], ['delta(c[1m])']],
  deriv: [['deriv(c[5m])', '{i=x} 0.166666667']],
  double_exponential_smoothing: [['double_exponential_smoothing(c[5m], 0.5, 0.5)', '{i=x} 50']],
  end: [['end()', '300']],
  exp: [['exp(vector(0))', '{} 1']],
  first_over_time: [['first_over_time(c[3m])', 'c{i=x} 30']],
  floor: [['floor(v)', '{i=a10} 1', '{i=a2} -3']],
  histogram_avg: [['histogram_avg(n)', '{} 1']],
  histogram_count: [['histogram_count(n)', '{} 4'], ['histogram_count(c)']],
  histogram_fraction: [
    ['histogram_fraction(1, 2, n)', '{} 0.5'],
    ['histogram_fraction(0, 0.3, h_bucket)', '{} 0.4']
  ],
  histogram_quantiles: [['histogram_quantiles(n, "q", 0.25, 1)', '{q=0.25} 1', '{q=1.0} 4']],
  histogram_stddev: [['histogram_stddev(n)', '{} 0.971091903']],
  histogram_stdvar: [['histogram_stdvar(n)', '{} 0.943019485']],
  histogram_sum: [['histogram_sum(n)', '{} 4']],
  histogram_quantile: [
    ['histogram_quantile(0.5, h_bucket)', '{} 0.4'],
    ['histogram_quantile(0.9, h_bucket)', '{} 1'],
    ['histogram_quantile(2, h_bucket)', '{} +Inf'],
    ['histogram_quantile(0.5, h_bucket{le!="+Inf"})', '{} NaN']
  ],
  hour: [['hour(leap)', '{} 13']],
  idelta: [
    ['idelta(g[10m])', '{i=x} NaN'],
    ['idelta(c[10m])', '{i=x} 10']
  ],
  increase: [['increase(c[5m])', '{i=x} 50'], ['increase(r[4m])', '{} 93.333333333'], ['increase(c[1m])']],
  info: [['info(c)', 'c{i=x} 50'], ['info(c, {version="2"})']],
  irate: [
    ['irate(r[3m])', '{} 0.5'],
    ['irate(r[4m] offset 2m)', '{} 0.166666667']
  ],
  label_join: [['label_join(v{i="a2"}, "j", "-", "i", "none", "i")', 'v{i=a2,j=a2--a2} -2.5']],
  label_replace: [
    ['label_replace(v{i="a2"}, "n", "$1/${0}", "i", "a(.*)")', 'v{i=a2,n=2/a2} -2.5'],
    ['label_replace(v{i="a2"}, "i", "", "i", ".*")', 'v -2.5'],
    ['label_replace(v{i="a2"}, "n", "x", "i", "a")', 'v{i=a2} -2.5']
  ],
  last_over_time: [['last_over_time(g[10m])', 'g{i=x} -0.5']],
  ln: [['ln(vector(1))', '{} 0']],
  log10: [['log10(vector(100))', '{} 2']],
  log2: [['log2(vector(8))', '{} 3']],
  mad_over_time: [['mad_over_time(c[5m])', '{i=x} 10']],
  max_of: [
    ['max_of(2, -1)', '2'],
    ['max_of(NaN, Inf)', '+Inf']
  ],
  max_over_time: [['max_over_time(g[10m])', '{i=x} 6']],
  min_of: [
    ['min_of(2, time() - 301)', '-1'],
    ['min_of(NaN, Inf)', 'NaN']
  ],
  min_over_time: [['min_over_time(g[10m])', '{i=x} -4']],
  minute: [['minute(leap)', '{} 45']],
  month: [['month(leap)', '{} 2']],
  pi: [['pi()', '3.141592654']],
  predict_linear: [['predict_linear(c[5m], 60)', '{i=x} 60']],
  present_over_time: [['present_over_time(v[10m])', '{i=a10} 1', '{i=a2} 1']],
  quantile_over_time: [
    ['quantile_over_time(0.5, c[4m])', '{i=x} 35'],
    ['quantile_over_time(-1, c[4m])', '{i=x} -Inf']
  ],
  rad: [['rad(vector(180))', '{} 3.141592654']],
  range: [['range()', '0']],
  rate: [
    ['rate(c[5m])', '{i=x} 0.166666667'],
    ['rate(r[4m])', '{} 0.388888889']
  ],
  resets: [['resets(r[10m])', '{} 1']],
  round: [
    ['round(v)', '{i=a10} 2', '{i=a2} -2'],
    ['round(v, 5)', '{i=a10} 0', '{i=a2} 0']
  ],
  scalar: [
    ['scalar(v{i="a2"})', '-2.5'],
    ['scalar(v)', 'NaN']
  ],
  sgn: [['sgn(v)', '{i=a10} 1', '{i=a2} -1']],
  sin: [['sin(vector(0))', '{} 0']],
  sinh: [['sinh(vector(0))', '{} 0']],
  sort: [['sort(v)', 'v{i=a2} -2.5', 'v{i=a10} 1.5']],
  sort_by_label: [['sort_by_label(v, "i")', 'v{i=a2} -2.5', 'v{i=a10} 1.5']],
  sort_by_label_desc: [['sort_by_label_desc(v, "i")', 'v{i=a10} 1.5', 'v{i=a2} -2.5']],
  sort_desc: [['sort_desc(v)', 'v{i=a10} 1.5', 'v{i=a2} -2.5']],
  sqrt: [['sqrt(vector(9))', '{} 3']],
  start: [['start()', '300']],
  start_timestamp: [['start_timestamp(c)']],
  stddev_over_time: [['stddev_over_time(c[2m])', '{i=x} 5']],
  stdvar_over_time: [['stdvar_over_time(c[2m])', '{i=x} 25']],
  step: [['step()', '0']],
  sum_over_time: [['sum_over_time(c[3m])', '{i=x} 120']],
  tan: [['tan(vector(0))', '{} 0']],
  tanh: [['tanh(vector(0))', '{} 0']],
  time: [['time()', '300']],
  timestamp: [
    ['timestamp(c offset 30s)', '{i=x} 240'],
    ['timestamp(c + 1)', '{i=x} 300']
  ],
  ts_of_first_over_time: [['ts_of_first_over_time(c[3m])', '{i=x} 180']],
  ts_of_last_over_time: [['ts_of_last_over_time(c[3m])', '{i=x} 300']],
  ts_of_max_over_time: [['ts_of_max_over_time(g[10m])', '{i=x} 180']],
  ts_of_min_over_time: [['ts_of_min_over_time(g[10m])', '{i=x} 60']],
  vector: [['vector(7)', '{} 7']],
  year: [['year(leap)', '{} 2024']]
}

it('has a case for every function', () => {
  expect(Object.keys(CASES).sort()).toEqual([...SIGNATURES.keys()].sort())
})

it.each(Object.values(CASES).flat())('%s', async (query, ...response) => {
  expect(await bench.at(5, query)).toEqual(response)
})

const NO_COUNTER = 'PromQL info: metric might not be a counter, name does not end in _total/_sum/_count/_bucket:'
it.each([
  ['rate(g[5m])', `${NO_COUNTER} "g" (1:6)`],
  ['1 + increase(g[5m:1m])', `${NO_COUNTER} "g" (1:14)`],
  ['rate(g[5m] anchored)', `${NO_COUNTER} "g" (1:6)`],
  ['rate(h_bucket[5m])', undefined],
  ['rate(n[5m])', undefined],
  ['rate(v[5m])', undefined],
  ['delta(g[5m])', undefined],
  ['rate(nothing[5m])', undefined]
])('%s reports whether it is of a counter: %s', async (query, info) => {
  const { infos } = await bench.run(query, { startMs: 300_000, stepMs: 1, count: 1 })
  expect(infos).toEqual(info === undefined ? [] : [info])
})
