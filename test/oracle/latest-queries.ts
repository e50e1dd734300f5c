import { END_MS } from './world.js'

const END_S = END_MS / 1000

/** Queries of syntax that Prometheus 3.15 has behind flags, or added last. */
export const LATEST_QUERIES: readonly string[] = [
  ...['rate', 'increase', 'delta', 'changes', 'resets'].flatMap(name => [
    `${name}(requests_total{host="h1"}[2m] anchored)`,
    `${name}(flicker[90s] anchored)`,
    `${name}(gap[10m] anchored offset 3m)`,
    `${name}(odd{host="h0"}[1m] anchored)`
  ]),
  ...['rate', 'increase', 'delta'].flatMap(name => [
    `${name}(requests_total{host="h1"}[2m] smoothed)`,
    `${name}(flicker[90s] smoothed)`,
    `${name}(gap[10m] smoothed offset 3m)`,
    `${name}(heat{side=""}[37s] smoothed @ ${END_S - 600.5})`
  ]),
  ...[
    'heat{side=""} smoothed',
    'flicker smoothed',
    'gap smoothed offset 17s',
    'odd smoothed',
    'heat smoothed @ end()',
    'heat anchored'
  ],
  ...[
    'sum by (zone) (requests_total smoothed)',
    'max_over_time(rate(requests_total[1m] anchored)[5m:1m])',
    'timestamp(heat smoothed)'
  ],
  ...['avg_over_time((gap smoothed)[10m:45s])', 'heat anchored[2m]', 'rate(heat smoothed[2m])', 'absent(nothing smoothed)'],
  ...[
    'fill (0)',
    'fill_left (-1)',
    'fill_right (0.5)',
    'fill_left (1) fill_right (2)',
    'fill_right (1m) fill_left (NaN)'
  ].flatMap(fill => [
    `flicker + on (host) ${fill} gap`,
    `flicker > on (host) ${fill} gap`,
    `gap == bool on (host) ${fill} flicker`,
    `requests_total{host="h1"} / on (host) group_left (zone) ${fill} gap`,
    `gap * on (host) group_right ${fill} requests_total{code="500"}`
  ]),
  ...['nothing + fill (3) build', 'build - ignoring (version) fill_right (3) nothing', 'sum(nothing) + on () fill (0) sum(heat)'],
  ...['heat + on (zone) fill (0) odd', 'heat + on (zone) fill_left (0) odd', 'build + on (zone) group_left fill_right (1) heat'],
  ...['rate(requests_total[step()])', 'rate(requests_total[step() * 2 + 5s] offset step())', 'heat offset (step() - 2m)'],
  ...['heat offset -(1m)', 'heat offset 1m + 5', 'heat offset (1m) + 5', 'heat offset -2 ^ 2', 'heat offset min_of(1m, step())'],
  ...[
    'avg_over_time(heat[max_of(1m, step() / 4)])',
    'sum_over_time(odd{host="h0"}[1h % 50m:1m30s / 2])',
    'max_over_time(heat[range() / 4:step()])'
  ],
  ...[
    'last_over_time(gap[(((2m)))] @ start())',
    'count_over_time(heat[2 ^ 3 * 10])',
    'min_over_time(heat[5m:min_of(step(), 1m)])'
  ],
  ...[
    'step()',
    'range()',
    'start()',
    'end()',
    'vector(end() - start())',
    'max_of(NaN, 3)',
    'min_of(-Inf, NaN)',
    'max_of(time(), start() + 600)'
  ],
  ...['start_timestamp(heat)', 'clamp_max(heat, scalar(build{host="h0"}) * step() / 10)'],
  // These fail.
  ...[
    'rate(heat[5m] anchored smoothed)',
    'avg_over_time(heat[5m] smoothed)',
    'resets(heat[5m] smoothed)',
    'deriv(heat[5m] anchored)'
  ],
  ...[
    'sum(heat) smoothed',
    'rate(heat[5m:1m] anchored)',
    'heat and fill (0) odd',
    'heat + fill (0) 1',
    '1 + fill_left (0) 2',
    'heat + fill (odd) odd'
  ],
  ...[
    'rate(heat[-5m])',
    'rate(heat[1m - 1m])',
    'rate(heat[step() - 1h])',
    'rate(heat[5m / 0])',
    'rate(heat[5m % (1 - 1)])',
    'heat offset (1 / (2 - 2))'
  ],
  ...[
    'rate(heat[max_of(1m)])',
    'rate(heat[step])',
    'rate(heat[5m 3m])',
    'rate(heat[5m:step() 3m])',
    'heat offset foo',
    'heat offset 9e18',
    'rate(heat[2 ^ 9999])'
  ],
  ...['max_over_time(time()[5m:1m])', 'start(1)', 'max_of(heat, 1)', 'heat offset step() offset 1m']
]
