/** Lines as single pixels: thousands of them in the time in which a canvas strokes a few hundred. */

import type { Samples } from './chart-data.js'

/** Pixels of a canvas, one 32-bit value each, rows from the top. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly values: Uint32Array
}

/** Where samples are drawn. */
export interface SampleScale {
  /** Column of each point of the grid; outside the pixels when it is outside the window. */
  readonly columns: readonly number[]
  readonly min: number
  readonly max: number
}

interface Pixel {
  readonly x: number
  readonly y: number
}

/** Draws the part of a line from one pixel to another that is inside. */
function segment({ width, height, values }: Pixels, from: Pixel, to: Pixel, colour: number): void {
  const steps = Math.max(1, Math.abs(to.x - from.x), Math.abs(to.y - from.y))
  const dx = (to.x - from.x) / steps
  const dy = (to.y - from.y) / steps
  for (let step = 0; step <= steps; step++) {
    const x = Math.round(from.x + dx * step)
    const y = Math.round(from.y + dy * step)
    if (x >= 0 && x < width && y >= 0 && y < height) values[y * width + x] = colour
  }
}

/** Draws a line through the samples; a missing sample is a gap, a sample between two gaps is a point. */
export function drawLine(pixels: Pixels, samples: Samples, { columns, min, max }: SampleScale, colour: number): void {
  const perUnit = (pixels.height - 1) / (max - min || 1)
  let before: Pixel | null = null
  columns.forEach((x, index) => {
    const value = samples[index]
    const here = value == null ? null : { x, y: Math.round((max - value) * perUnit) }
    if (here) segment(pixels, before ?? here, here, colour)
    before = here
  })
}
