import type { VectorElement } from '../../../domain/alerts/alert-state.js'
import { type Warning, warningSentence } from '../../../domain/warning.js'

/** What a condition has at one time, before its threshold. */
export interface Snapshot {
  readonly elements: readonly VectorElement[]
  readonly hasData: boolean
  /** As in `ConditionResult`. */
  readonly present?: readonly VectorElement[]
}

/** A read that lacks records or series: its vector may lack elements, and must not resolve anything. */
export class IncompleteRead extends Error {
  constructor(warnings: readonly Warning[], otherwise: string) {
    const [first] = warnings
    super(`the data is incomplete: ${first === undefined ? otherwise : warningSentence(first)}`)
  }
}

/** Throws `IncompleteRead` for a result that is not complete. */
export function checkComplete(
  { complete, warnings }: { readonly complete: boolean; readonly warnings: readonly Warning[] },
  otherwise: string
): void {
  if (!complete) throw new IncompleteRead(warnings, otherwise)
}
