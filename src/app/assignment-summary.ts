import type { UnassignedPart } from '../ports/unassigned-logs.js'

/** What one run of `assign-patterns` did. */
export interface AssignmentTotals {
  assigned: number
  /** Whether logs are beyond the limit of templates. */
  hasOverflow: boolean
  /** Logs without a word in their message. */
  wordless: number
  /** Logs that were changed or deleted before they got theirs. */
  missed: number
  refused: number
  /** The store's reason for the first refused one. */
  refusal: string | null
  /** Segments that cannot be read. */
  damaged: number
  /** Parts that were merged or deleted while they were read. */
  gone: number
}

/** The start of a run. */
export const NOTHING_DONE: Readonly<AssignmentTotals> = Object.freeze({
  ...{ assigned: 0, hasOverflow: false, wordless: 0, missed: 0, refused: 0, refusal: null, damaged: 0, gone: 0 }
})

/** A number, with its noun. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun : plural}`
}

/** The logs of parts that can be read. */
export function logsOf(parts: readonly UnassignedPart[]): number {
  return parts.reduce((sum, { logs }) => sum + (logs ?? 0), 0)
}

/** Parts that cannot be read. */
export function damagedOf(parts: readonly UnassignedPart[]): number {
  return parts.filter(({ logs }) => logs === null).length
}

function damageSentences(damaged: number): readonly string[] {
  if (damaged === 0) return []
  return [
    `${counted(damaged, 'segment cannot be read and is left as it is', 'segments cannot be read and are left as they are')}; see verify`
  ]
}

/** What a dry run shows. */
export function countSummary(parts: readonly UnassignedPart[]): string {
  const damaged = damagedOf(parts)
  const logs = logsOf(parts)
  const places = counted(parts.length - damaged, 'segment or index', 'segments or indices')
  return [`${counted(logs, 'log')} in ${places} ${logs === 1 ? 'has' : 'have'} no pattern`, ...damageSentences(damaged)].join(
    '\n'
  )
}

/** Logs that are left without a pattern, by why. */
interface LeftLogs {
  readonly wordless: number
  readonly refused: number
  /** Neither: they came, or came back in another state, while the run went on. */
  readonly others: number
}

function leftLogs(totals: AssignmentTotals, left: number): LeftLogs {
  // Some may be deleted since they were counted.
  const wordless = Math.min(totals.wordless, left)
  const refused = Math.min(totals.refused, left - wordless)
  return { wordless, refused, others: left - wordless - refused }
}

function hasChanged({ missed, gone }: AssignmentTotals): boolean {
  return missed + gone > 0
}

/** Whether nothing is left that another run, or a repair, would give a pattern. */
export function isFinished(totals: AssignmentTotals, left: number): boolean {
  const { refused, others } = leftLogs(totals, left)
  return totals.damaged === 0 && refused === 0 && !(others > 0 && hasChanged(totals))
}

/** What a run shows in the end; `left` logs have no pattern. */
export function runSummary(totals: AssignmentTotals, left: number): string {
  const { wordless, refused, others } = leftLogs(totals, left)
  const sentences = [`${counted(totals.assigned, 'log')} got a pattern`]
  if (totals.hasOverflow) sentences.push('some logs are beyond the 10,000 templates of the namespace')
  if (wordless > 0) sentences.push(counted(wordless, 'log has no word in its message', 'logs have no word in their message'))
  if (refused > 0) sentences.push(`${counted(refused, 'log was', 'logs were')} refused by the search store: ${totals.refusal}`)
  if (others > 0) {
    const reason = hasChanged(totals) ? 'changed meanwhile; run the command again' : 'arrived meanwhile without a pattern'
    sentences.push(`${counted(others, 'log')} ${reason}`)
  }
  return [...sentences, ...damageSentences(totals.damaged)].join('\n')
}
