import type { AssignedPart } from '../ingest/patterns/stored-log-patterns.js'
import type { PartPlace, UnassignedPart } from '../ports/unassigned-logs.js'
import type { CallCommand } from './own-commands.js'

/** What the command shows. */
type Print = (text: string) => void

/** What one run did. */
interface Totals {
  assigned: number
  overflowed: number
  /** Logs that were changed or deleted before they got theirs. */
  missed: number
  damaged: number
  /** Parts that were merged or deleted while they were read. */
  gone: number
}

const NONE: Totals = Object.freeze({ assigned: 0, overflowed: 0, missed: 0, damaged: 0, gone: 0 })

function count(logs: number): string {
  return logs.toLocaleString('en-US')
}

function logsOf(parts: readonly UnassignedPart[]): number {
  return parts.reduce((sum, { logs }) => sum + (logs ?? 0), 0)
}

function damagedOf(parts: readonly UnassignedPart[]): number {
  return parts.filter(({ logs }) => logs === null).length
}

async function partsOf(call: CallCommand, namespace: string): Promise<readonly UnassignedPart[]> {
  return (await call('unassigned-logs', { namespace }))['parts'] as readonly UnassignedPart[]
}

async function assignPart(
  call: CallCommand,
  namespace: string,
  part: string,
  onStep: (step: AssignedPart) => void
): Promise<void> {
  for (let next: PartPlace | null = { part, after: -1 }; next !== null;) {
    const step = (await call('assign-patterns', { namespace, ...next })) as unknown as AssignedPart
    onStep(step)
    next = step.next
  }
}

/** Goes over all parts once. */
async function pass(
  call: CallCommand,
  { namespace, parts, print }: { readonly namespace: string; readonly parts: readonly UnassignedPart[]; readonly print: Print }
): Promise<Totals> {
  const all = logsOf(parts)
  const totals: Totals = { ...NONE, damaged: damagedOf(parts) }
  for (const { part, logs } of parts) {
    if (logs === null) continue
    await assignPart(call, namespace, part, ({ assigned, overflowed, missed, fault }) => {
      totals.assigned += assigned
      totals.overflowed += overflowed
      totals.missed += missed
      if (fault === 'damaged') totals.damaged++
      if (fault === 'gone') totals.gone++
      if (assigned > 0) print(`${count(totals.assigned)} of ${count(all)} logs have a pattern`)
    })
  }
  return totals
}

function damageSentence(damaged: number): string[] {
  if (damaged === 0) return []
  return [`${damaged} segments cannot be read and are left as they are; see verify`]
}

/** Why logs have no pattern in the end. */
function reasonOf({ missed, gone }: Totals): string {
  if (gone > 0) return `${gone} segments or indices changed meanwhile; run the command again`
  if (missed > 0) return `${count(missed)} changed meanwhile; run the command again`
  return 'their messages have no word'
}

function summary(totals: Totals, left: number): string {
  const { assigned, overflowed, damaged } = totals
  const sentences = [
    `${count(assigned)} logs got a pattern`,
    ...(overflowed > 0 ? [`${count(overflowed)} of them are beyond the 10,000 templates of the namespace`] : []),
    ...(left > 0 ? [`${count(left)} logs have none: ${reasonOf(totals)}`] : []),
    ...damageSentence(damaged)
  ]
  return sentences.join('\n')
}

/** Whether another run may find more to do. */
function isUnfinished({ missed, gone }: Totals, left: number): boolean {
  return left > 0 && missed + gone > 0
}

/** Gives the stored logs of a namespace the patterns that they lack, or counts them; false when some cannot be read, or are left. */
export async function assignPatterns(
  call: CallCommand,
  { namespace, isDryRun, print }: { readonly namespace: string; readonly isDryRun: boolean; readonly print: Print }
): Promise<boolean> {
  let totals = NONE
  let parts = await partsOf(call, namespace)
  if (isDryRun) {
    const damaged = damagedOf(parts)
    print(
      [
        `${count(logsOf(parts))} logs in ${parts.length - damaged} segments or indices have no pattern`,
        ...damageSentence(damaged)
      ].join('\n')
    )
    return damaged === 0
  }
  // What was merged meanwhile is listed under its new name. What gets no pattern ends it.
  for (;;) {
    const done = await pass(call, { namespace, parts, print })
    totals = { ...done, assigned: totals.assigned + done.assigned, overflowed: totals.overflowed + done.overflowed }
    if (done.assigned === 0 || done.gone === 0) break
    parts = await partsOf(call, namespace)
  }
  const left = logsOf(await partsOf(call, namespace))
  print(summary(totals, left))
  return totals.damaged === 0 && !isUnfinished(totals, left)
}
