/**
 * Why a result is incomplete. `store`: the store lost records or cannot read them; `spooled`: they wait for it; `gap`: lines of
 * a log stream did not arrive.
 */
export const CUT_KINDS = ['cap', 'sample', 'retention', 'store', 'spooled', 'gap'] as const
/** One of `CUT_KINDS`. */
export type CutKind = (typeof CUT_KINDS)[number]

/** A reason why a result is incomplete, created where the result is cut. */
export interface Cut {
  readonly kind: CutKind
  /** The sentence for `warnings`. */
  readonly detail: string
  /** What a caller can do about it, in one sentence. */
  readonly remedy: string
  /** Rows, groups or series that the cut kept; absent when no number limits it. */
  readonly limit?: number
  /** Affected times; an absent bound is that of the window. Absent when the times are unknown. */
  readonly range?: { readonly startNs?: bigint; readonly endNs?: bigint }
}

/** A sentence about a result. A string explains or advises and does not state what cuts the result. */
export type Warning = string | Cut

/** The sentence of a warning. */
export function warningSentence(warning: Warning): string {
  return typeof warning === 'string' ? warning : warning.detail
}

/** The warnings, each sentence once, in the order of their first occurrence. */
export function distinctWarnings(warnings: Iterable<Warning>): Warning[] {
  const bySentence = new Map<string, Warning>()
  for (const warning of warnings) {
    const sentence = warningSentence(warning)
    if (!bySentence.has(sentence)) bySentence.set(sentence, warning)
  }
  return [...bySentence.values()]
}
