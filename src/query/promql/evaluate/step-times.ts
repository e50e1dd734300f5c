import type { Subquery, VectorSelector } from '../syntax/ast.js'
import { endOf, type Steps, timeOf } from './values.js'

/** The steps of a subquery: multiples of its step within its ranges, of which one ends for each step at `rangeEnd`. */
export function subquerySteps(
  expr: Subquery,
  steps: Steps,
  { defaultStepMs, rangeEnd }: { readonly defaultStepMs: number; readonly rangeEnd: (step: number) => number }
): Steps {
  const stepMs = expr.stepMs ?? defaultStepMs
  const fromMs = rangeEnd(0) - expr.rangeMs
  const endMs = rangeEnd(steps.count - 1)
  const startMs = (Math.floor(fromMs / stepMs) + 1) * stepMs
  return { startMs, stepMs, count: Math.max(0, Math.floor((endMs - startMs) / stepMs) + 1) }
}

/** The time that `@` fixes, if any. */
export function fixedTime(at: VectorSelector['at'], query: Steps): number | null {
  if (at === null) return null
  if (at === 'start') return query.startMs
  return at === 'end' ? endOf(query) : at.atMs
}

/** The time at which a selector looks, for each step. */
export function shiftedTime(steps: Steps, atMs: number | null, offsetMs: number): (step: number) => number {
  if (atMs !== null) return () => atMs - offsetMs
  return step => timeOf(steps, step) - offsetMs
}
