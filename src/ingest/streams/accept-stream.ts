import { GatewayError } from '../../domain/errors.js'
import type { IngestId, NamespaceId } from '../../domain/ids.js'
import type { Clock } from '../../ports/clock.js'
import type { LogStream, RecoveredRecords, StreamGap } from '../../domain/log-stream.js'
import type { StreamAccount } from '../../ports/stream-ledger.js'
import type { IngestReply, IngestRequest } from '../ingest-request.js'
import type { Refusals } from '../outcome.js'
import { isRawObject } from '../raw-object.js'
import type { RawRecords } from '../read-records.js'
import type { ResolvedNamespace } from '../resolve-namespace.js'
import { OneAtATime } from '../../threads/one-at-a-time.js'
import { type BatchOutcome, isNotedFirst } from './apply-batch.js'
import { parseStreamBatch, storableText, type StreamBatch } from './stream-batch.js'
import { untakenIngestId } from './stream-ingest-id.js'
import { positionOf, type StreamRecorder } from './stream-recorder.js'
import { type ComparisonDeps, type Unrecorded, unrecordedOf } from './unrecorded-records.js'

/** Whether the records are a batch of a log stream; its id is checked before they are stored. */
export function isOfStream(raw: RawRecords): raw is RawRecords & { readonly stream: { readonly id: string } } {
  return raw.stream !== undefined && raw.stream !== null
}

/** What storing the records of a batch gave. */
interface StoredRecords {
  readonly reply: IngestReply
  readonly refusals: Pick<Refusals, 'byCode'>
  readonly dropped: number
  readonly times: BatchOutcome['times']
}

export interface StreamAcceptorDeps {
  readonly recorder: StreamRecorder
  readonly comparison: ComparisonDeps
  readonly clock: Clock
}

/** How the records of a batch are stored. */
export interface StoreOptions {
  /** Positions in the batch of records that are stored already. */
  readonly stored: ReadonlySet<number>
  /** Called before the first record is stored; null: nothing is to be done. */
  readonly begin: (() => Promise<void>) | null
}

type StoreRecords = (id: IngestId, options: StoreOptions) => Promise<StoredRecords>

const NOTHING: Unrecorded = { indexes: new Set(), ids: new Set(), times: null, next: null }

/** Whether the ledger has all records of a batch: none follow its position but those that it states. */
function isWhole(stream: LogStream | null, { seq, records }: RecoveredRecords): boolean {
  if (stream === null || seq >= stream.nextSeq) return false
  return stream.recovered?.seq !== seq || stream.recovered.records !== records
}

/** The range of two ranges of times. */
function joined(a: BatchOutcome['times'], b: BatchOutcome['times']): BatchOutcome['times'] {
  if (a === null || b === null) return a ?? b
  return { minMs: Math.min(a.minMs, b.minMs), maxMs: Math.max(a.maxMs, b.maxMs) }
}

/** Host and service of a stream are those of its records. */
function batchOf({ stream, defaults, items }: RawRecords): StreamBatch {
  const named = isRawObject(defaults) ? defaults : {}
  const about = { host: storableText(named['host']), service: storableText(named['service']) }
  return parseStreamBatch(stream, items.length, about)!
}

/** Records that were not stored when the batch came first, as far as it is known of this batch alone. */
function notStored({ gaps }: StreamAccount, { from, to }: StreamBatch): { readonly rejected: number; readonly dropped: number } {
  const own = gaps.filter(gap => gap.merged === 1 && gap.from === from && gap.to === to)
  const lines = (of: readonly StreamGap[]): number => of.reduce((sum, gap) => sum + (gap.lines ?? 0), 0)
  return {
    rejected: lines(own.filter(({ code }) => code !== null)),
    dropped: lines(own.filter(({ reason }) => reason === 'dropped'))
  }
}

function replyOfRepeat(account: StreamAccount, batch: StreamBatch, records: number, target: ResolvedNamespace): IngestReply {
  const before = notStored(account, batch)
  const rejected = Math.min(records, before.rejected)
  return {
    status: rejected === 0 ? 'ok' : 'partial',
    accepted: Math.max(0, records - rejected - before.dropped),
    rejected,
    namespace: target.namespace.name,
    namespace_source: target.source,
    stream: { ...positionOf(account.stream), repeated: true }
  }
}

/**
 * Batches of log streams: each is stored once, however often and over whichever gateways it is sent, and the ledger knows
 * which lines arrived before the response does (docs/adr/0060).
 */
export class StreamAcceptor {
  readonly #deps: StreamAcceptorDeps
  readonly #turns = new OneAtATime()
  /** Batches that are being stored, by namespace and host. */
  readonly #inFlight = new Map<string, Set<Promise<unknown>>>()

  constructor(deps: StreamAcceptorDeps) {
    this.#deps = deps
  }

  /** Throws for a batch whose description cannot be read. */
  check(raw: RawRecords): void {
    batchOf(raw)
  }

  /** Stores the batch by `store`, unless it is a repeat. */
  async accept(
    request: IngestRequest,
    raw: RawRecords,
    target: ResolvedNamespace,
    store: StoreRecords
  ): Promise<{ readonly reply: IngestReply; readonly isRepeat: boolean }> {
    if (request.idempotencyKey !== undefined) {
      const detail = 'a batch of a stream is known by its number; send it without Idempotency-Key'
      throw new GatewayError('invalid_field', detail, { field: 'Idempotency-Key' })
    }
    const batch = batchOf(raw)
    const { id: ns } = target.namespace
    // A sender that was killed and lost its state may send a batch again that is in flight, under other bytes.
    const reply = this.#turns.run(`${ns} ${batch.id}`, () => this.#accept(batch, raw, target, store))
    return this.#counted(`${ns} ${batch.hostId ?? ''}`, reply)
  }

  /**
   * Resolves when the ledger has the batches of a host that are in flight now. A sender that was killed may have sent the
   * first batch of a stream: what it reads after that is not to be another stream.
   */
  async settled(ns: NamespaceId, hostId: string): Promise<void> {
    await Promise.allSettled([...(this.#inFlight.get(`${ns} ${hostId}`) ?? [])])
  }

  async #counted<Reply>(key: string, reply: Promise<Reply>): Promise<Reply> {
    const batches = this.#inFlight.get(key) ?? new Set()
    this.#inFlight.set(key, batches.add(reply))
    try {
      return await reply
    } finally {
      batches.delete(reply)
      if (batches.size === 0) this.#inFlight.delete(key)
    }
  }

  async #accept(
    batch: StreamBatch,
    raw: RawRecords,
    target: ResolvedNamespace,
    store: StoreRecords
  ): Promise<{ readonly reply: IngestReply; readonly isRepeat: boolean }> {
    const { recorder, clock } = this.#deps
    const ns = target.namespace.id
    const { isRepeat, account } = await recorder.judge(ns, batch)
    if (isRepeat) return { reply: replyOfRepeat(account!, batch, raw.items.length, target), isRepeat }
    const before = await this.#unrecorded(ns, batch, account, raw.items)
    const isFirst = account === null && isNotedFirst(batch)
    const begin = isFirst ? () => recorder.begin(ns, batch, clock.nowMs()) : null
    const id = untakenIngestId(ns, batch, { nowMs: clock.nowMs(), taken: before.ids })
    const { reply, refusals, dropped, times } = await store(id, { stored: before.indexes, begin })
    const accepted = reply.accepted + before.indexes.size
    const outcome = { batch, stored: accepted, rejected: refusals.byCode, dropped, times: joined(times, before.times) }
    const stream = await recorder.record(ns, { ...outcome, recovered: before.next, atMs: clock.nowMs() })
    return { reply: { ...reply, accepted, stream: positionOf(stream) }, isRepeat }
  }

  async #unrecorded(
    ns: NamespaceId,
    batch: StreamBatch,
    account: StreamAccount | null,
    items: RawRecords['items']
  ): Promise<Unrecorded> {
    const { comparison, clock } = this.#deps
    const { recovered, gap } = batch
    const stream = account?.stream ?? null
    // Behind a gap are other records than those that followed.
    if (recovered === null || gap !== null || isWhole(stream, recovered)) return NOTHING
    const about = { ns, batch: { ...batch, recovered }, stream, nowMs: clock.nowMs() }
    return unrecordedOf(comparison, about, items)
  }
}
