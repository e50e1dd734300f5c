import type { NamespaceId } from '../domain/ids.js'

/** How many records of a namespace and signal wait on one gateway. */
export interface WaitingCount {
  readonly namespaceId: NamespaceId
  readonly signal: 'logs' | 'metrics' | 'rum' | 'errors' | 'spans'
  /** Acknowledged records that their store does not have yet. */
  readonly records: number
}

/** Where gateways publish how many records are queued in their spools. */
export interface WaitingBoard {
  /** Replaces what the gateway published before. */
  publish(gateway: string, counts: readonly WaitingCount[], atMs: number): Promise<void>
  /** How many counts of a gateway are stored: fewer than it published if another process took its id over. */
  keptOf(gateway: string): Promise<number>
  /** What all other gateways published at or after a time, summed by namespace and signal. */
  ofOthers(gateway: string, sinceMs: number): Promise<readonly WaitingCount[]>
}
