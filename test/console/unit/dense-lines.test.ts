import { describe, expect, it } from '@jest/globals'
import { drawLine, type Pixels } from '../../../console/src/charts/dense-lines.js'
import type { Samples } from '../../../console/src/charts/chart-data.js'

const WIDTH = 5
const HEIGHT = 3

function drawn(samples: Samples, columns: readonly number[] = [0, 1, 2, 3, 4]): readonly string[] {
  const pixels: Pixels = { width: WIDTH, height: HEIGHT, values: new Uint32Array(WIDTH * HEIGHT) }
  drawLine(pixels, samples, { columns, min: 0, max: 2 }, 1)
  return Array.from({ length: HEIGHT }, (_, y) =>
    [...pixels.values.subarray(y * WIDTH, (y + 1) * WIDTH)].map(value => (value === 1 ? '#' : '.')).join('')
  )
}

describe('a line of single pixels', () => {
  it('joins the samples', () => {
    expect(drawn([0, 1, 2, 2, 2])).toEqual(['..###', '.#...', '#....'])
  })

  it('is steep without holes', () => {
    expect(drawn([0, 2, null, null, null])).toEqual(['.#...', '.#...', '#....'])
  })

  it('has a gap where a sample is missing, and a point between two gaps', () => {
    expect(drawn([1, null, 1, undefined, 1])).toEqual(['.....', '#.#.#', '.....'])
  })

  it('leaves out what is outside the picture', () => {
    expect(drawn([0, 1, 5, 1, 0], [-2, 0, 2, 4, 6])).toEqual(['.#..#', '#...#', '.....'])
  })

  it('is level in the middle of a range of no width', () => {
    const pixels: Pixels = { width: 2, height: 3, values: new Uint32Array(6) }
    drawLine(pixels, [7, 7], { columns: [0, 1], min: 7, max: 7 }, 1)
    expect([...pixels.values]).toEqual([1, 1, 0, 0, 0, 0])
  })
})
