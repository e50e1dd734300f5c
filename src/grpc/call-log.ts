import type { Metadata } from '@grpc/grpc-js'
import type { RequestLog } from '../http/request-log.js'

/** What is known of a call while it runs. */
interface CallRecord {
  readonly startedMs: number
  readonly route: string
  readonly client: string
  requestId: string | null
  status: number
  bytesIn: number
  bytesOut: number
  namespace: string | null
  keyPrefix: string | null
}

/** What a call turned out to be; `status` is the HTTP status of the same reply. */
export type CallFacts = Partial<Pick<CallRecord, 'requestId' | 'status' | 'bytesIn' | 'bytesOut' | 'namespace' | 'keyPrefix'>>

/** Status of calls that ended without a reply of ours: cancelled by the client, or ended by gRPC itself (a message over the limit). */
const ENDED_EARLY = 499

/** Logs each gRPC call once, when it has ended. Does nothing while the request log is off. */
export class CallLog {
  readonly #log: RequestLog | null
  readonly #newRequestId: () => string
  readonly #records = new WeakMap<Metadata, CallRecord>()

  constructor(log: RequestLog | null, newRequestId: () => string) {
    this.#log = log
    this.#newRequestId = newRequestId
  }

  /** Begins the record of a call; `peer` is its address with the port. */
  begin(metadata: Metadata, route: string, peer: string): void {
    if (this.#log === null) return
    const client = peer.replace(/:\d+$/, '')
    const unknown = { requestId: null, status: ENDED_EARLY, bytesIn: 0, bytesOut: 0, namespace: null, keyPrefix: null }
    this.#records.set(metadata, { startedMs: performance.now(), route, client, ...unknown })
  }

  /** Adds what is known now. */
  note(metadata: Metadata, facts: CallFacts): void {
    const record = this.#records.get(metadata)
    if (record) Object.assign(record, facts)
  }

  /** Logs the call. */
  end(metadata: Metadata): void {
    const record = this.#records.get(metadata)
    if (!record) return
    this.#records.delete(metadata)
    const { startedMs, requestId, ...rest } = record
    const durationMs = performance.now() - startedMs
    this.#log?.log({ ...rest, method: 'POST', requestId: requestId ?? this.#newRequestId(), durationMs })
  }
}
