import type { AssignedPart } from '../ingest/patterns/stored-log-patterns.js'
import type { PartPlace, UnassignedPart } from '../ports/unassigned-logs.js'
import {
  type AssignmentTotals,
  counted,
  countSummary,
  damagedOf,
  isFinished,
  logsOf,
  NOTHING_DONE,
  runSummary
} from './assignment-summary.js'
import type { CallCommand } from './own-commands.js'
import { patientCalls } from './patient-calls.js'

/** One run of the command. */
export interface AssignmentRun {
  readonly namespace: string
  /** Whether to count only. */
  readonly isDryRun: boolean
  /** What the command shows. */
  readonly print: (text: string) => void
  /** Resolves after so many milliseconds. */
  readonly wait: (ms: number) => Promise<void>
}

async function partsOf(call: CallCommand, namespace: string): Promise<readonly UnassignedPart[]> {
  return (await call('unassigned-logs', { namespace }))['parts'] as readonly UnassignedPart[]
}

/** Adds what a step did. */
function add(totals: AssignmentTotals, { fault, ...step }: AssignedPart): void {
  totals.assigned += step.assigned
  totals.hasOverflow ||= step.hasOverflow
  totals.missed += step.missed
  totals.refused += step.refused
  totals.refusal ??= step.refusal
  if (fault === 'damaged') totals.damaged++
  if (fault === 'gone') totals.gone++
}

/** Goes over a part once. */
async function assignPart(
  call: CallCommand,
  { namespace, part }: { readonly namespace: string; readonly part: string },
  totals: AssignmentTotals,
  onStep: (step: AssignedPart) => void
): Promise<void> {
  let wordless = 0
  for (let from: PartPlace | null = { part, after: -1 }; from !== null;) {
    const step = (await call('assign-patterns', { namespace, ...from })) as unknown as AssignedPart
    add(totals, step)
    // A rewritten part is read from its beginning.
    wordless = (from.after === -1 ? 0 : wordless) + step.wordless
    onStep(step)
    from = step.next
  }
  totals.wordless += wordless
}

/** Goes over all parts once. */
async function assignParts(
  call: CallCommand,
  parts: readonly UnassignedPart[],
  totals: AssignmentTotals,
  { namespace, print }: AssignmentRun
): Promise<void> {
  const all = counted(logsOf(parts), 'log')
  for (const { part, logs } of parts) {
    if (logs === null) continue
    await assignPart(call, { namespace, part }, totals, ({ assigned }) => {
      if (assigned > 0) print(`${totals.assigned.toLocaleString('en-US')} of ${all} have a pattern`)
    })
  }
}

/** Goes over the parts until none changes its name meanwhile. What stops it is thrown, once what it did is printed. */
async function assignAll(call: CallCommand, listed: readonly UnassignedPart[], run: AssignmentRun): Promise<AssignmentTotals> {
  let [parts, before]: [readonly UnassignedPart[], AssignmentTotals] = [listed, NOTHING_DONE]
  for (;;) {
    const { assigned, hasOverflow } = before
    const totals = { ...NOTHING_DONE, assigned, hasOverflow, damaged: damagedOf(parts) }
    try {
      await assignParts(call, parts, totals, run)
    } catch (error) {
      run.print(runSummary(totals, 0))
      throw error
    }
    // What was merged meanwhile is listed under its new name. What gets no pattern ends it.
    if (totals.gone === 0 || totals.assigned === assigned) return totals
    parts = await partsOf(call, run.namespace)
    before = totals
  }
}

/**
 * Gives the stored logs of a namespace the patterns that they lack, or counts them; false when some cannot be read, or
 * are left.
 */
export async function assignPatterns(callOnce: CallCommand, run: AssignmentRun): Promise<boolean> {
  const call = patientCalls(callOnce, run.wait)
  const parts = await partsOf(call, run.namespace)
  if (run.isDryRun) {
    run.print(countSummary(parts))
    return damagedOf(parts) === 0
  }
  const totals = await assignAll(call, parts, run)
  const left = logsOf(await partsOf(call, run.namespace))
  run.print(runSummary(totals, left))
  return isFinished(totals, left)
}
