import type { Place } from './area-drag.js'
import { type DurationAxis, heightOf } from './duration-axis.js'

/** Something that began at a time, took so long, and may have failed. */
export interface Point {
  readonly id: string
  readonly startMs: number
  readonly durationMs: number
  readonly isError: boolean
}

/** A click opens the nearest point within this share of the picture. */
const REACH = 0.03

/** Where points are drawn. */
export interface PointScale {
  readonly fromMs: number
  readonly toMs: number
  readonly durations: DurationAxis
}

/** Where a point is drawn. */
export function placeOf({ startMs, durationMs }: Point, { fromMs, toMs, durations }: PointScale): Place {
  // A trace can begin before the span of it that matches.
  const share = (startMs - fromMs) / Math.max(1, toMs - fromMs)
  return { x: Math.max(0, Math.min(1, share)), y: heightOf(durations, durationMs) }
}

/** Index of the point nearest to a place; null when none is within reach. */
export function nearestPoint(points: readonly Point[], scale: PointScale, { x, y }: Place): number | null {
  let nearest: number | null = null
  let least = REACH
  points.forEach((point, index) => {
    const place = placeOf(point, scale)
    const distance = Math.hypot(place.x - x, place.y - y)
    if (distance < least) {
      least = distance
      nearest = index
    }
  })
  return nearest
}
