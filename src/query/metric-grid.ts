import { parseDurationMs } from '../domain/duration.js'
import { GatewayError } from '../domain/errors.js'
import type { TimeRange } from '../domain/time-range.js'
import type { Grid } from './result.js'
import { boundedCount } from './bounds.js'
import { gridOfStep } from './time-grid.js'

const S = 1_000
const M = 60 * S
const H = 60 * M
const D = 24 * H
/** Steps that read well on a chart, in milliseconds. */
const NICE_STEPS_MS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[S, 2 * S, 5 * S, 10 * S, 15 * S, 30 * S],
  ...[M, 2 * M, 5 * M, 10 * M, 15 * M, 30 * M],
  ...[H, 2 * H, 3 * H, 6 * H, 12 * H],
  ...[D, 7 * D, 30 * D, 365 * D]
]
const DEFAULT_POINTS = 300
const MS_NS = 1_000_000n
const SECONDS = /^\d{1,12}(?:\.\d{1,3})?$/

function badStep(): GatewayError {
  return new GatewayError('invalid_field', 'step must be seconds (60) or a duration (1m), at least a millisecond', {
    field: 'step',
    suggestions: ['60', '1m', '15s']
  })
}

/** Whole milliseconds of a step: a number or digits are seconds, other text a duration. Throws `invalid_field`. */
export function parseStepMs(step: unknown): number {
  const text = typeof step === 'number' ? String(step) : step
  if (typeof text !== 'string') throw badStep()
  const ms = SECONDS.test(text) ? Math.round(Number(text) * S) : parseDurationMs(text)
  if (ms === null || ms < 1 || !Number.isSafeInteger(ms)) throw badStep()
  return ms
}

function autoStepMs(range: TimeRange, maxPoints: number, leastMs: number): number {
  const spanMs = Number((range.endNs - range.startNs) / MS_NS)
  const nice = NICE_STEPS_MS.find(stepMs => stepMs >= leastMs && spanMs / stepMs <= maxPoints)
  return nice ?? Math.max(Math.ceil(spanMs / maxPoints), 1)
}

/** The grid of a metric query. More points than `cap` are refused, with the shortest step that would do. */
export function metricGrid(
  range: TimeRange,
  requested: {
    readonly step?: unknown
    readonly maxPoints?: number | undefined
    readonly leastMs: number
    /** Buckets start at multiples of the step, so that a window that moves on does not shift them. */
    readonly isAligned: boolean
  },
  cap: number
): Grid {
  const maxPoints = boundedCount(requested.maxPoints, 'maxPoints', { least: 1, most: cap, otherwise: DEFAULT_POINTS })
  const isAuto = requested.step === undefined || requested.step === null || requested.step === ''
  const stepMs = isAuto ? autoStepMs(range, maxPoints, requested.leastMs) : parseStepMs(requested.step)
  const stepNs = BigInt(stepMs) * MS_NS
  const startNs = requested.isAligned ? range.startNs - (range.startNs % stepNs) : range.startNs
  if ((range.endNs - startNs + stepNs - 1n) / stepNs <= BigInt(cap)) return gridOfStep({ ...range, startNs }, stepNs)
  const least = autoStepMs(range, cap, 1)
  throw new GatewayError('invalid_field', `a series must not exceed ${cap} points; use a step of at least ${least / S} seconds`, {
    field: 'step',
    suggestions: [String(least / S)]
  })
}
