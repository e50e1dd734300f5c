import { describe, expect, it } from '@jest/globals'
import { everyMinute, PromqlBench } from '../../../support/promql.js'

const bench = new PromqlBench([
  everyMinute({ __name__: 'l', a: '1' }, 10, 'stale'),
  everyMinute({ __name__: 'l', a: '2' }, 20, 20),
  everyMinute({ __name__: 'r', a: '2' }, 200, 200),
  everyMinute({ __name__: 'r', a: '3' }, null, 300),
  everyMinute({ __name__: 'many', a: '2', b: 'x' }, 1, 1),
  everyMinute({ __name__: 'many', a: '4', b: 'x' }, 2, 2),
  everyMinute({ __name__: 'many', a: '4', b: 'y' }, 3, 3)
])

describe('what only one side has', () => {
  it.each([
    ['l + fill(5) r', ['{a=1} 15@0', '{a=2} 220@0 220@1', '{a=3} 305@1']],
    ['l + fill_right(5) r', ['{a=1} 15@0', '{a=2} 220@0 220@1']],
    ['l + fill_left(5) r', ['{a=2} 220@0 220@1', '{a=3} 305@1']],
    ['l - fill_left(1) fill_right(2) r', ['{a=1} 8@0', '{a=2} -180@0 -180@1', '{a=3} -299@1']],
    ['l < fill(50) r', ['l{a=1} 10@0', 'l{a=2} 20@0 20@1', '{a=3} 50@1']],
    ['l == bool fill(10) r', ['{a=1} 1@0', '{a=2} 0@0 0@1', '{a=3} 0@1']],
    ['l + on(a) fill(0) r', ['{a=1} 10@0', '{a=2} 220@0 220@1', '{a=3} 300@1']],
    ['nothing + fill(1) r', ['{a=2} 201@0 201@1', '{a=3} 301@1']],
    ['r + fill(1) nothing', ['{a=2} 201@0 201@1', '{a=3} 301@1']],
    ['r + fill_left(1) nothing', []],
    ['nothing + fill(1) nothing', []],
    ['many * on(a) group_left fill_right(0) r', ['{a=2,b=x} 200@0 200@1', '{a=4,b=x} 0@0 0@1', '{a=4,b=y} 0@0 0@1']],
    ['many * on(a) group_left fill_left(0) r', ['{a=2,b=x} 200@0 200@1', '{a=3} 0@1']],
    // As Prometheus 3.15: the left filling is that of the side with many, though it is on the right.
    ['r * on(a) group_right fill_left(2) many', ['{a=2,b=x} 200@0 200@1', '{a=3} 600@1']],
    ['r - on(a) group_right fill_right(7) many', ['{a=2,b=x} 199@0 199@1', '{a=4,b=x} 5@0 5@1', '{a=4,b=y} 4@0 4@1']]
  ])('%s', async (query, lines) => {
    expect([...(await bench.over(0, 1, query))].sort()).toEqual(lines)
  })

  it.each([
    ['many + on(a) fill_right(0) l', 'many-to-one matching must be explicit'],
    ['l + on() fill_left(0) r', 'many-to-many matching not allowed'],
    ['nothing + on() fill_right(0) l', 'many-to-many matching not allowed']
  ])('%s is an error', async (query, text) => {
    await expect(bench.over(0, 1, query)).rejects.toThrow(text)
  })
})
