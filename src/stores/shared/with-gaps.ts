import { distinctWarnings, type Warning } from '../../domain/warning.js'

/** The result of a read, which says what it lacks. */
export function withGaps<GappedResult extends { readonly complete: boolean; readonly warnings: readonly Warning[] }>(
  result: GappedResult,
  gaps: readonly Warning[]
): GappedResult {
  if (gaps.length === 0) return result
  return { ...result, complete: false, warnings: distinctWarnings([...result.warnings, ...gaps]) }
}
