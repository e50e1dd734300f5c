import type { Cut } from '../../domain/warning.js'

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
