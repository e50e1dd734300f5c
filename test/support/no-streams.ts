import type { StreamLedger } from '../../src/ports/stream-ledger.js'

/** A ledger without log streams. */
export const NO_STREAMS: StreamLedger = {
  account: async () => null,
  save: async () => undefined,
  list: async () => [],
  count: async () => 0,
  gaps: async () => new Map(),
  lost: async () => [],
  found: async () => [],
  firstFound: async () => null,
  runs: async () => [],
  forgetOldest: async () => false,
  deleteBefore: async () => undefined
}
