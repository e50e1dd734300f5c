import type { ErrorItem } from '../domain/errors.js'
import type { IngestId } from '../domain/ids.js'
import type { Label } from '../domain/metric-point.js'
import type { Namespace } from '../domain/namespace.js'
import type { Principal } from '../domain/principal.js'
import type { RateState } from '../threads/rate-limits.js'
import type { LogOptions } from './recognize-log/log-options.js'
import type { ReadReply } from './recognize-log/log-readings.js'

/** Which rule of the namespace resolution named the namespace. */
export type NamespaceSource = 'body' | 'header' | 'query' | 'api_key' | 'session' | 'default'

/** How the bytes of a body are to be read. */
export type BodyForm = 'json' | 'ndjson' | 'protobuf' | 'remote-write-2' | 'prometheus-text' | 'openmetrics' | 'line-protocol'

/** What all metric points of a request have in common, stated outside of its body. */
export interface SharedByPoints {
  /** Labels that each point gets; they go before its own. */
  readonly labels: readonly Label[]
  /** Nanoseconds of one unit of its times (line protocol). */
  readonly timeUnitNs: bigint
}

/** For bodies whose points share nothing. */
export const NOTHING_SHARED: SharedByPoints = Object.freeze({ labels: [], timeUnitNs: 1n })

/** How a write names its namespace outside of its body; every edge that takes writes hands over all three. */
export interface NamedNamespaces {
  /** Header or metadata `X-Service-Namespace`. */
  readonly headerNamespace: string | undefined
  /** Query parameter `namespace`. */
  readonly queryNamespace: string | undefined
  /** Header or metadata `X-Namespace-ID`: selects the namespace of a session, may only repeat that of a key. */
  readonly headerNamespaceId: string | undefined
}

/** A write as an edge hands it over: authenticated, decompressed, not yet parsed. */
export interface IngestRequest extends Partial<NamedNamespaces> {
  readonly principal: Principal
  /** The decompressed body. */
  readonly body: Buffer
  readonly form: BodyForm
  /** Names the route within an `Idempotency-Key`'s scope. */
  readonly route: string
  /** Address of the client (RUM limits). */
  readonly address?: string
  /** Country that a trusted proxy found for the address (RUM); the event's own goes before it. */
  readonly country?: string
  readonly shared?: SharedByPoints
  /** How logs are recognized; by the table of members alone when absent. */
  readonly logs?: LogOptions
  readonly isDryRun: boolean
  /** `searchable` waits until a query would see the records. */
  readonly ack: 'durable' | 'searchable'
  readonly idempotencyKey?: string
}

/** Receives what is known while a request is processed, so that refusals carry it too. */
export interface IngestObserver {
  namespaceResolved(namespace: Namespace): void
  rateTaken(state: RateState): void
  /** What the body held, before any of it is checked. */
  recordsRead?(items: readonly unknown[]): void
}

/** Success body of every write ("Write responses" in docs/conventions.md). */
export interface IngestReply {
  readonly status: 'ok' | 'partial'
  readonly accepted: number
  readonly rejected: number
  /** How many of `accepted` wait for their store, safe on this gateway's disk and not searchable yet; absent when none do. */
  readonly spooled?: number
  /** Points over the series limit that were added to overflow series; they count as accepted. Absent when none were. */
  readonly overflow?: OverflowReply
  /** Native histograms of remote write among those accepted; absent when there were none. */
  readonly histograms?: number
  /** Secrets that rules of the namespace replaced, by what they are; absent when there were none. */
  readonly redacted?: Readonly<Record<string, number>>
  /** Logs that rules of the namespace dropped, by the rule; not among those accepted. Absent when there were none. */
  readonly dropped?: Readonly<Record<string, number>>
  /** Exemplars next to the records; absent when there were none. A refused one refuses nothing else. */
  readonly exemplars?: { readonly accepted: number; readonly rejected: number }
  /** Values that are not numbers and were left out; absent when there were none. */
  readonly ignored_values?: number
  /** Unknown members of metric points that were ignored; absent when empty. */
  readonly ignored_members?: readonly string[]
  /** Which members logs were read from; absent when all of them have the names of this interface. */
  readonly read?: ReadReply
  /** What the sender should know of records that were accepted; absent when there is nothing. */
  readonly warnings?: readonly string[]
  readonly errors?: readonly ErrorItem[]
  readonly rejected_by_code?: Readonly<Record<string, number>>
  readonly errors_truncated?: boolean
  readonly namespace: string
  readonly namespace_source: NamespaceSource
  /** Absent in a dry run. */
  readonly ingest_id?: IngestId
  /** Where the log stream of the batch is now; absent when it is not of one. */
  readonly stream?: StreamPosition
  readonly dry_run?: true
  /** The normalized records of a dry run, at most `MAX_SHOWN`. */
  readonly records?: readonly object[]
  readonly records_truncated?: boolean
}

/** Up to where a log stream is stored, and what its next batch is. */
export interface StreamPosition {
  readonly id: string
  readonly next_seq: number
  readonly bytes_to: number
  readonly line_to: number
  /** All of the batch had arrived before: nothing was stored. Absent when it had not. */
  readonly repeated?: true
  /** More of the batch that the sender recovers from is stored: for the next batch. Absent when it is not. */
  readonly recovered?: { readonly seq: number; readonly records: number }
}

/** The points that were added to overflow series, and the remedy. */
export interface OverflowReply {
  readonly points: number
  readonly max_series: number
  /** The label with the most values in the namespace. */
  readonly label: string | null
  readonly values: number
  readonly detail: string
}

/** The result of a write, and whether it is that of an earlier request with the same `Idempotency-Key`. */
export interface IngestResponse {
  readonly reply: IngestReply
  readonly isReplay: boolean
}

/** One of the write use cases. Throws `GatewayError`; nothing is acknowledged that is not stored. */
export interface AcceptRecords {
  accept(request: IngestRequest, observer: IngestObserver): Promise<IngestResponse>
}
