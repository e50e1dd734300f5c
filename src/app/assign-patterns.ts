import type { AssignedPart } from '../ingest/patterns/stored-log-patterns.js'
import type { UnassignedPart } from '../ports/unassigned-logs.js'
import type { CallCommand } from './own-commands.js'

/** What the command shows. */
type Print = (text: string) => void

/** What one run did. */
interface Totals {
  assigned: number
  overflowed: number
  damaged: number
  /** Parts that were merged or deleted while they were read. */
  gone: number
}

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
  for (let next: string | null = part; next !== null;) {
    const step = (await call('assign-patterns', { namespace, part: next })) as unknown as AssignedPart
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
  const totals: Totals = { assigned: 0, overflowed: 0, damaged: damagedOf(parts), gone: 0 }
  for (const { part, logs } of parts) {
    if (logs === null) continue
    await assignPart(call, namespace, part, ({ assigned, overflowed, fault }) => {
      totals.assigned += assigned
      totals.overflowed += overflowed
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

function summary({ assigned, overflowed, damaged, gone }: Totals, left: number): string {
  const sentences = [
    `${count(assigned)} logs got a pattern`,
    ...(overflowed > 0 ? [`${count(overflowed)} of them are beyond the 10,000 templates of the namespace`] : []),
    ...(left > 0 && gone === 0 ? [`${count(left)} logs have none: their messages have no word`] : []),
    ...(gone > 0 ? [`${count(left)} logs have none: ${gone} segments changed meanwhile; run the command again`] : []),
    ...damageSentence(damaged)
  ]
  return sentences.join('\n')
}

/** Gives the stored logs of a namespace the patterns that they lack, or counts them; false when some cannot be read, or are left. */
export async function assignPatterns(
  call: CallCommand,
  { namespace, isDryRun, print }: { readonly namespace: string; readonly isDryRun: boolean; readonly print: Print }
): Promise<boolean> {
  let totals: Totals = { assigned: 0, overflowed: 0, damaged: 0, gone: 0 }
  let parts = await partsOf(call, namespace)
  if (isDryRun) {
    const damaged = damagedOf(parts)
    print(
      [`${count(logsOf(parts))} logs in ${parts.length - damaged} segments have no pattern`, ...damageSentence(damaged)].join(
        '\n'
      )
    )
    return damaged === 0
  }
  // Segments that were merged meanwhile are listed under their new names. What gets no pattern ends it.
  for (;;) {
    const done = await pass(call, { namespace, parts, print })
    totals = { ...done, assigned: totals.assigned + done.assigned, overflowed: totals.overflowed + done.overflowed }
    if (done.assigned === 0 || done.gone === 0) break
    parts = await partsOf(call, namespace)
  }
  print(summary(totals, logsOf(await partsOf(call, namespace))))
  return totals.damaged === 0 && totals.gone === 0
}
