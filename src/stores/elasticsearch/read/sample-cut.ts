import type { Cut } from '../../../domain/warning.js'

/** States that a result covers a part of the matching records; `limit` is their number, absent when it is unknown. */
export function sampleCut(detail: string, limit?: number): Cut {
  const remedy = 'Shorten the window, or add a condition.'
  return { kind: 'sample', detail, remedy, ...(limit !== undefined && { limit }) }
}
