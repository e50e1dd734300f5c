import type { Cut } from '../../domain/warning.js'

/** Parents that are looked for beyond ten minutes, whole traces by their index. */
export const MAX_FAR_PARENTS = 200

/** Calls whose calling span is stored, but begins more than ten minutes outside of a range. */
export interface FarCalls {
  readonly calls: number
  /** More parents are missing than were looked for. */
  readonly isCut: boolean
}

/** The warning of a service map about such calls; empty without them. */
export function farCallsWarning({ calls, isCut }: FarCalls): readonly string[] {
  if (calls === 0) return []
  const count = `${isCut ? 'at least ' : ''}${calls} ${calls === 1 ? 'call is' : 'calls are'}`
  return [`${count} omitted: the calling span starts more than ten minutes outside of the range; use a longer range`]
}

const NS_PER_MS = 1_000_000n

/** States that records from before a time are lost, because `what` ("an index") of a managed store was deleted. */
export function deletionCut(records: string, beforeMs: number, what: string): Cut {
  const time = new Date(beforeMs).toISOString()
  return {
    kind: 'store',
    detail: `${records} that were stored before ${time} may be missing: ${what} of the store was deleted`,
    remedy: 'Nothing brings these records back; later windows are complete.',
    range: { endNs: BigInt(beforeMs) * NS_PER_MS }
  }
}

/** States that a histogram has only the `limit` most frequent values of its field. */
export function histogramCut(limit: number): Cut {
  return {
    kind: 'cap',
    detail: `the histogram has only the ${limit} most frequent values of its field`,
    remedy: 'Add a condition on the field, or group by a field with fewer values.',
    limit
  }
}
