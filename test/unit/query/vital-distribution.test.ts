import { expect, it } from '@jest/globals'
import { vitalBounds } from '../../../src/query/vital-rating.js'

it.each([
  ['largest_contentful_paint_ms', 9, [1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000]],
  ['cumulative_layout_shift', 6, [0.1, 0.2, 0.3, 0.4, 0.5]],
  ['load_time_ms', 3, [5000, 10_000]]
] as const)('bounds of %s reach twice its poor threshold, or 10 s', (vital, buckets, bounds) => {
  expect(vitalBounds(vital, buckets)).toEqual(bounds)
})
