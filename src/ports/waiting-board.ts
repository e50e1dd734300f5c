import type { NamespaceId } from '../domain/ids.js'

/** How many records of a namespace and signal wait on one gateway. */
export interface WaitingCount {
  readonly namespaceId: NamespaceId
  readonly signal: 'logs' | 'metrics' | 'rum' | 'errors' | 'spans'
  readonly records: number
}

/** Where gateways tell each other how many records wait in their spools. */
export interface WaitingBoard {
  /** Replaces what the gateway told before. */
  tell(gateway: string, counts: readonly WaitingCount[], atMs: number): Promise<void>
  /** What all other gateways told at or after a time. */
  ofOthers(gateway: string, sinceMs: number): Promise<readonly WaitingCount[]>
}
