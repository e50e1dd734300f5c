import type { Authorizer } from '../access/authorizer.js'
import type { IngestId } from '../domain/ids.js'
import type { Clock } from '../ports/clock.js'
import type { IdempotencyKeys, UsageLedger } from '../ports/control-store.js'
import type { EventStore } from '../ports/event-store.js'
import type { LogStore } from '../ports/log-store.js'
import type { MetricStore } from '../ports/metric-store.js'
import type { NamespaceDirectory } from '../ports/namespace-directory.js'
import type { AcceptRecords } from './ingest-request.js'
import type { IngestLimits } from './limits.js'

export interface IngestDeps {
  readonly clock: Clock
  readonly newIngestId: () => IngestId
  readonly directory: NamespaceDirectory
  /** Decides for sessions (RUM); keys are decided by their own list and the directory. */
  readonly authorizer: Pick<Authorizer, 'writeNamespace'>
  readonly logs: Pick<LogStore, 'append' | 'settle'>
  readonly metrics: Pick<MetricStore, 'append' | 'settle'>
  readonly events: Pick<EventStore, 'appendRum' | 'appendErrors' | 'settle'>
  readonly idempotency: IdempotencyKeys
  readonly usage: UsageLedger
  readonly limits: IngestLimits
  /** Told about faults of work behind the answers (the ledger's flush, the sweep of old keys). */
  readonly onError: (error: unknown, what: string) => void
}

/** All write use cases, wired. */
export interface Ingest {
  readonly limits: IngestLimits
  /** Endpoint 1. */
  readonly log: AcceptRecords
  /** Endpoint 2. */
  readonly logs: AcceptRecords
  /** Endpoint 3. */
  readonly point: AcceptRecords
  /** Endpoint 4. */
  readonly points: AcceptRecords
  /** Endpoint 13. */
  readonly rum: AcceptRecords
  /** Endpoint 15. */
  readonly apmMetric: AcceptRecords
  /** Endpoint 16. */
  readonly apmError: AcceptRecords
  /** Starts the ledger's flush (each second) and the sweep of old idempotency keys (each hour). */
  start(): void
  /** Stops both and flushes the ledger once more; after the last request, before the control store closes. */
  close(): Promise<void>
}

/** Wires the write use cases. Nothing runs until `start`. */
export function createIngest(_deps: IngestDeps): Ingest {
  throw new Error('unbuilt')
}
