import { alertHash } from '../../domain/alerts/shard.js'
import { CATCH_UP_MS } from './bounds.js'

/** The times at which a rule is evaluated: t_k = k * `intervalMs` + `offsetMs`. Unix milliseconds. */
export interface StepGrid {
  readonly intervalMs: number
  /** From 0, less than the interval. */
  readonly offsetMs: number
}

/** The grid of a rule. Rules of one interval are spread over it by the hash of their ids. */
export function gridOf(ruleId: string, intervalMs: number): StepGrid {
  return { intervalMs, offsetMs: alertHash(ruleId) % intervalMs }
}

/** The last step at or before a time. */
export function lastStep(atMs: number, { intervalMs, offsetMs }: StepGrid): number {
  return Math.floor((atMs - offsetMs) / intervalMs) * intervalMs + offsetMs
}

/** The first step after a time. */
export function nextStep(atMs: number, grid: StepGrid): number {
  return lastStep(atMs, grid) + grid.intervalMs
}

/** Steps that are due. */
export interface DueSteps {
  /** The last step that is too old to be evaluated; null when none is. */
  readonly skippedTo: number | null
  /** How many steps are too old. */
  readonly skipped: number
  /** In order; empty when no step is due. */
  readonly times: readonly number[]
}

/** Steps after `doneMs` up to now. Those more than `CATCH_UP_MS` ago are skipped. */
export function dueSteps(grid: StepGrid, doneMs: number, nowMs: number): DueSteps {
  const first = nextStep(doneMs, grid)
  const last = lastStep(nowMs, grid)
  const oldest = Math.max(first, nextStep(nowMs - CATCH_UP_MS - 1, grid))
  const times: number[] = []
  for (let atMs = oldest; atMs <= last; atMs += grid.intervalMs) times.push(atMs)
  const skipped = (oldest - first) / grid.intervalMs
  return { skippedTo: skipped === 0 ? null : oldest - grid.intervalMs, skipped, times }
}
