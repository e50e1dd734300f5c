import { describe, expect, it } from '@jest/globals'
import { PromqlCancelled, PromqlTimeout } from '../../../../src/query/promql/evaluate/budget.js'
import { everyMinute, PromqlBench } from '../../../support/promql.js'

const bench = new PromqlBench([
  everyMinute({ __name__: 'm', job: 'a' }, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
  everyMinute({ __name__: 'm', job: 'b' }, 0, 10, 20, 30, 40, 50),
  everyMinute({ __name__: 'ended' }, 1, 1, 'stale', null, null, 1),
  everyMinute({ __name__: 'info', job: 'a', version: 'v1' }, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)
])

describe('a selector', () => {
  it('finds the latest sample of less than five minutes ago', async () => {
    expect(await bench.over(8, 11, 'm{job="b"}')).toEqual(['m{job=b} 50@8 50@9'])
  })

  it('stops at the mark of a series that ended', async () => {
    expect(await bench.over(0, 6, 'ended')).toEqual(['ended 1@0 1@1 1@5 1@6'])
    expect(await bench.at(5, 'count_over_time(ended[6m])')).toEqual(['{} 3'])
  })

  it.each<[string, string]>([
    ['m{job="a"} offset 2m', 'm{job=a} 3'],
    ['m{job="a"} offset -2m', 'm{job=a} 7'],
    ['m{job="a"} @ 60', 'm{job=a} 1'],
    ['m{job="a"} @ 60 offset -1m', 'm{job=a} 2'],
    ['m{job="a"} @ end()', 'm{job=a} 5'],
    ['m{job="a"}[2m]', 'm{job=a} 4 5'],
    ['{__name__=~"m|info",job!="b",version=""}', 'm{job=a} 5'],
    ['{"m", "job"="a"}', 'm{job=a} 5']
  ])('%s', async (query, response) => {
    expect(await bench.at(5, query)).toEqual([response])
  })

  it('with a fixed time is the same at every step', async () => {
    expect(await bench.over(8, 10, 'm{job="a"} @ start()')).toEqual(['m{job=a} 8@8 8@9 8@10'])
    expect(await bench.over(8, 9, 'sum_over_time(m{job="a"}[2m] @ 180)')).toEqual(['{job=a} 5@8 5@9'])
  })
})

describe('a subquery', () => {
  it.each<[string, readonly string[]]>([
    ['max_over_time(m{job="a"}[3m:1m])', ['{job=a} 5']],
    ['sum_over_time(vector(1)[5m:1m])', ['{} 5']],
    ['count_over_time(m{job="a"}[2m:])', ['{job=a} 2']],
    ['max_over_time(rate(m{job="a"}[2m])[3m:30s] offset 1m)', ['{job=a} 0.016666667']],
    ['last_over_time((m{job="a"} > 100)[3m:1m])', []]
  ])('%s', async (query, response) => {
    expect(await bench.at(5, query)).toEqual(response)
  })
})

describe('an operation', () => {
  it.each<[string, readonly string[]]>([
    ['1 - 2 - 3', ['-4']],
    ['2 ^ 3 ^ 2', ['512']],
    ['-2 ^ 2', ['-4']],
    ['1 / 0', ['+Inf']],
    ['5 % -3', ['2']],
    ['1 == bool 1', ['1']],
    ['m > 10', ['m{job=b} 50']],
    ['10 < m', ['m{job=b} 50']],
    ['m > bool 10', ['{job=a} 0', '{job=b} 1']],
    ['-m{job="a"}', ['{job=a} -5']],
    ['m + on(job) group_left(version) info', ['{job=a,version=v1} 6']],
    ['info * on(job) group_right() m', ['{job=a} 5']],
    ['m{job="a"} / ignoring(job) m{job="b"}', ['{} 0.1']],
    ['m and on(job) info', ['m{job=a} 5']],
    ['m unless on(job) info', ['m{job=b} 50']],
    ['m{job="a"} or m', ['m{job=a} 5', 'm{job=b} 50']],
    ['sum(m)', ['{} 55']],
    ['sum without(job) (m)', ['{} 55']],
    ['avg by (job) (m)', ['{job=a} 5', '{job=b} 50']],
    ['count_values("v", m)', ['{v=5} 1', '{v=50} 1']],
    ['quantile(0.5, m)', ['{} 27.5']],
    ['topk(1, m)', ['m{job=b} 50']],
    ['stddev(m)', ['{} 22.5']],
    ['limitk(1, m)', ['m{job=a} 5']],
    ['group(m)', ['{} 1']]
  ])('%s', async (query, response) => {
    expect(await bench.at(5, query)).toEqual(response)
  })

  it('matches nothing with nothing, however often the other side repeats itself', async () => {
    expect(await bench.at(5, 'nothing * on() m')).toEqual([])
    expect(await bench.at(5, 'm * on() group_right() nothing')).toEqual([])
    expect(await bench.at(5, '(m > 100) * on() m')).toEqual([])
    expect(await bench.over(5, 6, '(m and on() (vector(time()) == 0)) * on() m')).toEqual([])
  })

  it('ranks NaN last', async () => {
    expect(await bench.at(5, 'topk(1, m or label_replace(m{job="a"} * NaN, "job", "0", "", ""))')).toEqual(['m{job=b} 50'])
    expect(await bench.at(5, 'bottomk(1, label_replace(m{job="a"} * NaN, "job", "0", "", "") or m)')).toEqual(['m{job=a} 5'])
    expect(await bench.at(5, 'count(topk(5, m * NaN))')).toEqual(['{} 2'])
  })

  it('ranks at each step by itself', async () => {
    expect(await bench.over(9, 10, 'topk(1, m)')).toEqual(['m{job=a} 10@10', 'm{job=b} 50@9'])
  })

  it.each([
    ['m + on() m', 'many-to-many matching not allowed'],
    ['m + on() group_left() m', 'many-to-many matching not allowed'],
    ['vector(99) < on() group_right(job) m', 'grouping labels must ensure unique matches'],
    ['m * on() info', 'multiple matches for labels'],
    ['label_replace(m, "job", "same", "job", ".*")', 'same labelset'],
    ['label_replace(m, "\\xff", "a", "job", ".*")', 'invalid destination label name in label_replace()'],
    ['label_join(m, "", "-", "job")', 'invalid destination label name in label_join(): ""'],
    ['topk(NaN, m)', 'Parameter value is NaN'],
    ['label_replace(m, "a", "b", "job", "(")', 'invalid regular expression']
  ])('%s is an error', async (query, text) => {
    await expect(bench.at(5, query)).rejects.toThrow(text)
  })
})

describe('what a query may cost', () => {
  it('is bounded in values', async () => {
    for (const inner of ['m', 'vector(1)', 'vector(time())', 'absent(nothing)']) {
      await expect(bench.at(5, `sum_over_time(${inner}[5y:1s])`)).rejects.toThrow('computed values')
    }
  })

  it('is bounded in pairs, which are counted before they are made', async () => {
    const minutes = Array.from({ length: 10 }, (_, i) => i * 600_000)
    const everywhere = minutes.map((_, i) => ({
      labels: { __name__: 'many', i: String(i) },
      samples: minutes.map(atMs => [atMs, 1] as const)
    }))
    // One of them at each step, so that all are partners of each.
    const inSlices = minutes.map((atMs, i) => ({ labels: { __name__: 'one', i: String(i) }, samples: [[atMs, 2] as const] }))
    const response = (maxValues: number): Promise<unknown> =>
      new PromqlBench([...everywhere, ...inSlices], { maxValues }).run('many * on() group_left() one', {
        ...{ startMs: 0, stepMs: 600_000, count: 10 }
      })
    expect(await response(100 + 100 + 1_000)).toMatchObject({ value: { series: { length: 10 } } })
    await expect(response(100 + 100 + 999)).rejects.toThrow('exceeds the limit of 1199 computed values')
  })

  it('ends when the time is up, and when no one waits any longer', async () => {
    const step = { startMs: 0, stepMs: 1, count: 1 }
    await expect(bench.run('m', step, () => 'late')).rejects.toThrow(PromqlTimeout)
    await expect(bench.run('m', step, () => 'cancelled')).rejects.toThrow(PromqlCancelled)
    // Within one function too: its windows hold a hundred million samples together.
    let looks = 0
    const heavy = new PromqlBench([everyMinute({ __name__: 'm' }, ...Array.from({ length: 20_000 }, () => 1))])
    const steps = { startMs: 1_200_000_000, stepMs: 1, count: 10_000 }
    await expect(heavy.run('sum_over_time(m[14d])', steps, () => (looks++ < 8 ? null : 'late'))).rejects.toThrow(PromqlTimeout)
  })

  it.each(['count_values("value", rising)', 'info(up)'])(
    'ends within functions that make many series or look at many: %s',
    async query => {
      const targets = Array.from({ length: 1_000 }, (_, i) => ({
        labels: { __name__: 'target_info', job: 'a', version: String(i) },
        samples: [[i, 1] as const]
      }))
      const rising = { labels: { __name__: 'rising' }, samples: Array.from({ length: 1_000 }, (_, i) => [1_000 + i, i] as const) }
      const up = { labels: { __name__: 'up', job: 'a' }, samples: [[0, 1] as const] }
      let looks = 0
      const steps = { startMs: 1_000, stepMs: 1, count: 1_000 }
      const requested = new PromqlBench([...targets, rising, up]).run(query, steps, () => (looks++ < 8 ? null : 'late'))
      await expect(requested).rejects.toThrow(PromqlTimeout)
    }
  )
})
