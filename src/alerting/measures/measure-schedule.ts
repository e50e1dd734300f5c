import type { MeasureProgress, SavedMeasure } from '../../domain/saved-measure.js'

/** A step is computed so long after its end: for records on their way. */
export const COUNT_AFTER_MS = 10_000
/** Steps are computed again so long after their end: for records that came late. */
export const CHECK_AFTER_MS = 3_600_000
export const SETTLE_AFTER_MS = 86_400_000
/** Steps that are computed at once. */
export const STEPS_AT_ONCE = 60
const LONGEST_SPAN_MS = 3_600_000

/** Steps to compute, and what they are for. */
export interface DueSteps {
  readonly pass: 'counted' | 'checked' | 'settled' | 'backfill'
  /** The first is the cursor of its pass unless what follows that is past the retention. Unix milliseconds. */
  readonly fromMs: number
  /** Exclusive; equal to `fromMs` when all that was due is past the retention. */
  readonly toMs: number
}

/** What the schedule of a measure depends on. */
export type Scheduled = Pick<SavedMeasure, 'stepMs'> & Omit<MeasureProgress, 'error' | 'incomplete'>

/** The moment, and what the retention has kept. Unix milliseconds. */
export interface ScheduleTimes {
  readonly nowMs: number
  /** Steps that begin before are not computed. */
  readonly oldestMs: number
}

/** The last multiple of a step at or before a time. */
export function stepStart(atMs: number, stepMs: number): number {
  return Math.floor(atMs / stepMs) * stepMs
}

/** Steps that are read at once: few enough for any step, and not more than an hour of short ones. */
function spanOf(stepMs: number): number {
  return Math.min(STEPS_AT_ONCE * stepMs, Math.max(stepMs, LONGEST_SPAN_MS))
}

/** When each pass has steps to compute; null for a backfill that is done. */
function dueTimes({ stepMs, countedMs, checkedMs, settledMs, backfill }: Scheduled) {
  const span = spanOf(stepMs)
  return {
    counted: countedMs + stepMs + COUNT_AFTER_MS,
    checked: checkedMs + span + CHECK_AFTER_MS,
    settled: settledMs + span + SETTLE_AFTER_MS,
    backfill: backfill !== null && backfill.nextMs < backfill.untilMs ? backfill.nextMs : null
  }
}

function within(pass: DueSteps['pass'], beginMs: number, endMs: number, oldestMs: number): DueSteps {
  const fromMs = Math.min(Math.max(beginMs, oldestMs), endMs)
  return { pass, fromMs, toMs: endMs }
}

/** The next steps of a measure that are due, new ones first; null when none are. */
export function dueSteps(measure: Scheduled, { nowMs, oldestMs }: ScheduleTimes): DueSteps | null {
  const { stepMs, countedMs, checkedMs, settledMs, backfill } = measure
  const span = spanOf(stepMs)
  const firstMs = stepStart(oldestMs + stepMs - 1, stepMs)
  const due = dueTimes(measure)
  // What is past the retention is passed over at once.
  const next = (cursorMs: number): number => Math.max(cursorMs, firstMs) + span
  if (due.counted <= nowMs) {
    const lastMs = stepStart(nowMs - COUNT_AFTER_MS, stepMs)
    return within('counted', countedMs, Math.min(lastMs, next(countedMs)), firstMs)
  }
  if (due.checked <= nowMs)
    return within('checked', checkedMs, Math.min(next(checkedMs), stepStart(nowMs - CHECK_AFTER_MS, stepMs)), firstMs)
  if (due.settled <= nowMs)
    return within('settled', settledMs, Math.min(next(settledMs), stepStart(nowMs - SETTLE_AFTER_MS, stepMs)), firstMs)
  if (due.backfill === null) return null
  return within('backfill', backfill!.nextMs, Math.min(backfill!.untilMs, next(backfill!.nextMs)), firstMs)
}

/** When a measure has steps to compute next, Unix milliseconds; at once while a backfill goes on. */
export function nextDueMs(measure: Scheduled, nowMs: number): number {
  const { counted, checked, settled, backfill } = dueTimes(measure)
  return backfill === null ? Math.min(counted, checked, settled) : nowMs
}

/** A measure without progress in steps that have not begun: a clock ran ahead. */
export function withoutFuture<Measure extends Scheduled>(measure: Measure, nowMs: number): Measure {
  const presentMs = stepStart(nowMs, measure.stepMs)
  const { countedMs, checkedMs, settledMs } = measure
  if (Math.max(countedMs, checkedMs, settledMs) <= presentMs) return measure
  const cursors = { countedMs, checkedMs, settledMs }
  for (const cursor of ['countedMs', 'checkedMs', 'settledMs'] as const) cursors[cursor] = Math.min(cursors[cursor], presentMs)
  return { ...measure, ...cursors }
}

/** The progress after steps are computed. */
export function advanced<Measure extends Scheduled>(measure: Measure, { pass, toMs }: DueSteps): Measure {
  if (pass === 'backfill') return { ...measure, backfill: { ...measure.backfill!, nextMs: toMs } }
  return { ...measure, [`${pass}Ms`]: toMs }
}
