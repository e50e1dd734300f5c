import { GatewayError } from '../domain/errors.js'
import type { IngestId, NamespaceId } from '../domain/ids.js'
import { bodyIngestId } from './body-identity.js'
import { type CheckDeps, type Job, RecordChecker } from './check-records.js'
import type { Idempotency, StoredReply } from './idempotency.js'
import {
  type AcceptRecords,
  type IngestResponse,
  type IngestReply,
  type IngestRequest,
  type IngestObserver
} from './ingest-request.js'
import type { Ledger } from './ledger.js'
import { noted, nothingWaits, overflowReply, type Refusals, summary } from './outcome.js'
import type { RateState } from '../threads/rate-limits.js'
import { DEFAULT_LOG_OPTIONS } from './recognize-log/log-options.js'
import type { LogReadings } from './recognize-log/log-readings.js'
import type { RawRecords, ReadRecords } from './read-records.js'
import type { ResolvedNamespace } from './resolve-namespace.js'
import type { IngestSignal } from './signal.js'
import { isOfStream, type StoreOptions, type StreamAcceptor } from './streams/accept-stream.js'

/** Records that a dry run shows. */
const MAX_SHOWN = 100
const NS_PER_MS = 1_000_000n

/** A limit that a request must pass before anything is stored. */
export type RateRule = (request: IngestRequest, ns: NamespaceId) => RateState

/** Dependencies of `RecordAcceptor`. */
export interface AcceptDeps extends CheckDeps {
  readonly reader: ReadRecords
  readonly resolve: (request: IngestRequest, raw: RawRecords) => ResolvedNamespace | Promise<ResolvedNamespace>
  readonly rates: readonly RateRule[]
  readonly idempotency: Idempotency
  readonly ledger: Ledger
  readonly newIngestId: () => IngestId
  /** Of routes that take batches of log streams. */
  readonly streams?: StreamAcceptor
}

/** What became of the records of a request. */
interface Appended<Item> {
  readonly reply: IngestReply
  /** Whether an earlier run of the same ingest id had stored them. */
  readonly wasStored: boolean
  readonly items: readonly Item[]
  readonly refusals: Refusals
  /** Records that rules of the namespace dropped. */
  readonly dropped: number
}

/** The one path of all writes: read, resolve, rate, check, store, count, respond. */
export class RecordAcceptor<Item extends { readonly index: number }> implements AcceptRecords {
  readonly #signal: IngestSignal<Item>
  readonly #deps: AcceptDeps
  readonly #checker: RecordChecker<Item>

  constructor(signal: IngestSignal<Item>, deps: AcceptDeps) {
    this.#signal = signal
    this.#deps = deps
    this.#checker = new RecordChecker(signal, deps)
  }

  accept(request: IngestRequest, observer: IngestObserver): Promise<IngestResponse> {
    const sizeBytes = request.body.length
    if (!this.#isLarge(request)) return this.#accept(request, observer)
    return this.#deps.scheduler.run(sizeBytes, () => this.#accept(request, observer))
  }

  async #accept(request: IngestRequest, observer: IngestObserver): Promise<IngestResponse> {
    if (!this.#isLarge(request)) await this.#deps.scheduler.admit(request.body.length, callerOf(request))
    const raw = await this.#deps.reader.read(request.body, request.form)
    observer.recordsRead?.(raw.items)
    const target = await this.#deps.resolve(request, raw)
    observer.namespaceResolved(target.namespace)
    this.#passRates(request, target, observer)
    const job: Job = { request, raw, target }
    if (request.isDryRun) return { reply: await this.#dryRun(job), isReplay: false }
    const response = await this.#once(job)
    if (request.ack !== 'searchable') return response
    await this.#signal.settle(target.namespace.id)
    return { ...response, reply: nothingWaits(response.reply) }
  }

  #isLarge(request: IngestRequest): boolean {
    return request.body.length > this.#deps.limits.sliceBytes
  }

  #passRates(request: IngestRequest, target: ResolvedNamespace, observer: IngestObserver): void {
    for (const rule of this.#deps.rates) {
      const state = rule(request, target.namespace.id)
      observer.rateTaken(state)
      if (state.isAllowed) continue
      throw new GatewayError('rate_limited', `the rate limit "${state.policy}" is reached`, { retryAfterS: state.retryAfterS })
    }
  }

  async #once(job: Job): Promise<IngestResponse> {
    const { request, target, raw } = job
    const key = request.idempotencyKey
    if (isOfStream(raw)) return { reply: await this.#storeOfStream(job), isReplay: false }
    if (key === undefined) return { reply: (await this.#store(job, await this.#ownId(job))).reply, isReplay: false }
    const scope = { namespace: target.namespace.id, principal: request.principal, route: request.route, key }
    const response = await this.#deps.idempotency.run(scope, request.body, id => this.#store(job, id))
    if (response.isReplay) this.#countReplay(job, response.reply)
    return response
  }

  /** Of a request without a key: one that is known by its body has the same id each time, any other a new one. */
  async #ownId({ request: { body }, raw: { sentNs }, target }: Job): Promise<IngestId> {
    const { newIngestId, clock, scheduler } = this.#deps
    if (sentNs === undefined) return newIngestId()
    const identity = { namespace: target.namespace.id, signal: this.#signal.name, body, sentMs: Number(sentNs / NS_PER_MS) }
    return bodyIngestId(identity, { nowMs: clock.nowMs(), scheduler })
  }

  async #store(job: Job, ingestId: IngestId): Promise<StoredReply> {
    const { reply, wasStored, refusals, dropped } = await this.#append(job, ingestId)
    if (reply.accepted + dropped === 0 && refusals.count > 0) throw this.#allRefused(refusals, job.target)
    return { reply, wasStored }
  }

  /** A batch of a log stream. That all of its records are rejected is a result, too: the stream goes on behind them. */
  async #storeOfStream(job: Job): Promise<IngestReply> {
    const { request, target, raw } = job
    const { reply, isRepeat } = await this.#streams.accept(request, raw, target, async (id, { stored, begin }) => {
      const { reply, items, refusals, dropped } = await this.#append({ ...job, stored }, id, begin)
      return { reply, refusals, dropped, times: this.#signal.times?.(items) ?? null }
    })
    if (isRepeat) this.#countReplay(job, reply)
    return reply
  }

  get #streams(): StreamAcceptor {
    const { streams } = this.#deps
    if (streams) return streams
    throw new GatewayError('invalid_field', 'this route takes no log streams', { field: 'stream' })
  }

  /** @param begin called before anything is stored, where something is. */
  async #append(job: Job, ingestId: IngestId, begin: StoreOptions['begin'] = null): Promise<Appended<Item>> {
    const { target, request } = job
    const { items, refusals, notes, logs, rules } = await this.#checker.check(job)
    const ns = target.namespace.id
    let deduplicated = 0
    let spooled = 0
    let stored = 0
    let overflow: Pick<IngestReply, 'overflow'> = {}
    if (items.length > 0) {
      await begin?.()
      const flags = { mayWait: request.ack !== 'searchable', isNew: isNeverRepeated(job) }
      const result = await this.#signal.append(ns, { ingestId, items, ...flags })
      ;({ deduplicated, spooled = 0 } = result)
      stored = result.accepted - spooled
      overflow = overflowReply(result)
      // The samples of one data point share its index: it is refused once.
      for (const [index, detail] of new Map(result.failures.map(({ index, reason }) => [index, reason]))) {
        refusals.add({ index, code: this.#signal.refusedByStore, detail })
        notes.histograms.delete(index)
      }
    }
    await this.#signal.keep?.(ns, notes)
    // A replay is counted by its caller, from the reply; what waits in the spool, when it is stored.
    const dropped = rules?.droppedCount ?? 0
    const counts = { stored, rejected: refusals.count + notes.ignoredValues, deduplicated, dropped, bytes: request.body.length }
    if (deduplicated === 0 || request.idempotencyKey === undefined) this.#deps.ledger.count(ns, this.#signal.name, counts)
    const accepted = stored + spooled + deduplicated
    const waiting = spooled > 0 ? { spooled } : {}
    const reported = {
      ...waiting,
      ...overflow,
      ...noted(notes),
      ...rules?.report,
      ...this.#signal.read?.(items, logs, request.logs ?? DEFAULT_LOG_OPTIONS)
    }
    const reply = { ...summary(accepted, refusals, target), ...reported, ingest_id: ingestId }
    return { reply, wasStored: deduplicated > 0, items, refusals, dropped }
  }

  #allRefused(refusals: Refusals, target: ResolvedNamespace): GatewayError {
    return refusals.asError(target, this.#signal.retained)
  }

  #countReplay({ request, target }: Job, reply: IngestReply): void {
    const rejected = reply.rejected + (reply.ignored_values ?? 0)
    const dropped = Object.values(reply.dropped ?? {}).reduce((sum, count) => sum + count, 0)
    const counts = { stored: 0, rejected, deduplicated: reply.accepted, dropped, bytes: request.body.length }
    this.#deps.ledger.count(target.namespace.id, this.#signal.name, counts)
  }

  async #dryRun(job: Job): Promise<IngestReply> {
    if (isOfStream(job.raw)) this.#streams.check(job.raw)
    const { items, refusals, notes, logs, rules, droppedBy } = await this.#checker.check(job)
    if (items.length === 0 && refusals.count > 0) throw this.#allRefused(refusals, job.target)
    const show = (item: Item): object => {
      const rule = droppedBy.get(item)
      return rule === undefined ? this.#show(item, logs) : { ...this.#show(item, logs), dropped_by: rule }
    }
    return {
      ...summary(items.length - droppedBy.size, refusals, job.target),
      ...noted(notes),
      ...rules?.report,
      ...this.#signal.read?.(items, logs, job.request.logs ?? DEFAULT_LOG_OPTIONS),
      dry_run: true,
      records: items.slice(0, MAX_SHOWN).map(show),
      records_truncated: items.length > MAX_SHOWN
    }
  }

  #show(item: Item, logs: LogReadings): object {
    const read = logs.shownOf(item.index)
    return read === null ? this.#signal.show(item) : { ...this.#signal.show(item), read }
  }
}

/** Whose share of the queue of small bodies a request takes: that of its key's or session's namespace. */
function callerOf({ principal }: IngestRequest): string {
  if (principal.kind === 'user') return principal.activeNamespace
  return principal.namespaces[0] ?? principal.keyId
}

/** Neither a key nor the body would lead a repeat to the same ingest id. */
function isNeverRepeated({ request, raw }: Job): boolean {
  return request.idempotencyKey === undefined && raw.sentNs === undefined && !isOfStream(raw)
}
