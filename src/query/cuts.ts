import type { TimeRange } from '../domain/time-range.js'
import { type Cut, type CutKind, warningSentence } from '../domain/warning.js'
import type { ResultFacts } from './result.js'

/** One reason why a result is incomplete, and what to do about it. */
export interface ResultCut {
  readonly kind: CutKind
  /** The sentence of `warnings`. */
  readonly detail: string
  /** The affected part of the window; null when it is unknown. */
  readonly window: TimeRange | null
  /** Rows, groups or series that the cut kept; null when no number limits it. */
  readonly limit: number | null
  readonly remedy: string
}

const UNKNOWN_REMEDY = 'Shorten the window, or add a condition.'

function clipped(window: TimeRange, { startNs = window.startNs, endNs = window.endNs }: NonNullable<Cut['range']>): TimeRange {
  const part = {
    startNs: startNs > window.startNs ? startNs : window.startNs,
    endNs: endNs < window.endNs ? endNs : window.endNs
  }
  return part.startNs < part.endNs ? part : window
}

function toResultCut({ kind, detail, remedy, limit, range }: Cut, window: TimeRange | undefined): ResultCut {
  return { kind, detail, window: window && range ? clipped(window, range) : null, limit: limit ?? null, remedy }
}

/**
 * Why a result is incomplete, one entry per cut in `warnings`; empty for a complete one. Without a cut, the first sentence
 * counts as one.
 */
export function cutsOf({
  complete,
  warnings,
  window
}: Pick<ResultFacts, 'complete' | 'warnings'> & { readonly window?: TimeRange }): readonly ResultCut[] {
  if (complete) return []
  const cuts = warnings.filter(warning => typeof warning !== 'string')
  if (cuts.length > 0) return cuts.map(cut => toResultCut(cut, window))
  return warnings
    .slice(0, 1)
    .map(warning => ({ kind: 'store', detail: warningSentence(warning), window: null, limit: null, remedy: UNKNOWN_REMEDY }))
}
