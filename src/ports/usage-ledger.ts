import type { NamespaceId } from '../domain/ids.js'

/**
 * Records that a namespace sent in one day of one signal: `received = stored + rejected + deduplicated + dropped`. Spooled
 * records count once they are replayed.
 */
export interface UsageDelta {
  readonly namespaceId: NamespaceId
  /** `YYYY-MM-DD`, UTC, of arrival. */
  readonly day: string
  readonly signal: 'logs' | 'metrics' | 'rum' | 'errors' | 'spans'
  readonly stored: number
  readonly rejected: number
  readonly deduplicated: number
  /** Logs that rules of the namespace dropped. */
  readonly dropped: number
  /** Decompressed bytes of the requests. */
  readonly bytes: number
}

/** Usage of all namespaces per day. Writes resolve once they are crash-safe. */
export interface UsageLedger {
  /** Adds all deltas in one transaction. */
  add(deltas: readonly UsageDelta[]): Promise<void>
  /** Sums per day and signal, days `from` to `to` inclusive. */
  of(namespaceId: NamespaceId, from: string, to: string): Promise<readonly UsageDelta[]>
}
