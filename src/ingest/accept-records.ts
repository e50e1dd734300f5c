import { GatewayError } from '../domain/errors.js'
import type { IngestId, NamespaceId } from '../domain/ids.js'
import { retentionStartNs } from '../domain/namespace.js'
import type { Clock } from '../ports/clock.js'
import { bodyIngestId } from './body-identity.js'
import type { Idempotency, StoredReply } from './idempotency.js'
import {
  type AcceptRecords,
  type IngestResponse,
  type IngestReply,
  type IngestRequest,
  type IngestObserver,
  NOTHING_SHARED
} from './ingest-request.js'
import { isRefused, ItemCheck, type RefusedItem } from './item-check.js'
import type { Ledger } from './ledger.js'
import { NO_DEFAULTS, withTag } from './log-defaults.js'
import type { IngestLimits } from './limits.js'
import type { MetricNotes } from './metric-notes.js'
import { noted, nothingWaits, overflowReply, Refusals, summary } from './outcome.js'
import { parseLogDefaults } from './parse-log-defaults.js'
import type { RateState } from '../threads/rate-limits.js'
import { DEFAULT_LOG_OPTIONS } from './recognize-log/log-options.js'
import type { LogReadings } from './recognize-log/log-readings.js'
import { type RawRecords, type ReadRecords, UnreadableItem } from './read-records.js'
import type { ResolvedNamespace } from './resolve-namespace.js'
import type { IngestSignal } from './signal.js'
import { isOfStream, type StreamAcceptor, STREAM_TAG } from './streams/accept-stream.js'
import { TimedSlices } from './timed-slices.js'
import type { FairScheduler } from './fair-scheduler.js'

/** Records that a dry run shows. */
const MAX_SHOWN = 100
const NS_PER_MS = 1_000_000n

/** A limit that a request must pass before anything is stored. */
export type RateRule = (request: IngestRequest, ns: NamespaceId) => RateState

/** Dependencies of `RecordAcceptor`. */
export interface AcceptDeps {
  readonly reader: ReadRecords
  readonly resolve: (request: IngestRequest, raw: RawRecords) => ResolvedNamespace | Promise<ResolvedNamespace>
  readonly rates: readonly RateRule[]
  readonly idempotency: Idempotency
  readonly ledger: Ledger
  readonly clock: Clock
  readonly newIngestId: () => IngestId
  readonly scheduler: FairScheduler
  readonly limits: IngestLimits
  /** Of routes that take batches of log streams. */
  readonly streams?: StreamAcceptor
}

/** A request on its way: parsed and resolved, its items not yet checked. */
interface Job {
  readonly request: IngestRequest
  readonly raw: RawRecords
  readonly target: ResolvedNamespace
}

/** What became of the records of a request. */
interface Appended<Item> {
  readonly reply: IngestReply
  /** Whether an earlier run of the same ingest id had stored them. */
  readonly wasStored: boolean
  readonly items: readonly Item[]
  readonly refusals: Refusals
}

interface Checked<Item> {
  readonly items: Item[]
  readonly refusals: Refusals
  readonly notes: MetricNotes
  readonly logs: LogReadings
}

/** The one path of all writes: read, resolve, rate, check, store, count, respond. */
export class RecordAcceptor<Item extends { readonly index: number }> implements AcceptRecords {
  readonly #signal: IngestSignal<Item>
  readonly #deps: AcceptDeps

  constructor(signal: IngestSignal<Item>, deps: AcceptDeps) {
    this.#signal = signal
    this.#deps = deps
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
    const { reply, wasStored, refusals } = await this.#append(job, ingestId)
    if (reply.accepted === 0 && refusals.count > 0) throw this.#allRefused(refusals, job.target)
    return { reply, wasStored }
  }

  /** A batch of a log stream. That all of its records are rejected is a result, too: the stream goes on behind them. */
  async #storeOfStream(job: Job): Promise<IngestReply> {
    const { request, target, raw } = job
    const { reply, isRepeat } = await this.#streams.accept(request, raw, target, async id => {
      const { reply, items, refusals } = await this.#append(job, id)
      return { reply, refusals, times: this.#signal.times?.(items) ?? null }
    })
    if (isRepeat) this.#countReplay(job, reply)
    return reply
  }

  get #streams(): StreamAcceptor {
    const { streams } = this.#deps
    if (streams) return streams
    throw new GatewayError('invalid_field', 'this route takes no log streams', { field: 'stream' })
  }

  async #append(job: Job, ingestId: IngestId): Promise<Appended<Item>> {
    const { target, request } = job
    const { items, refusals, notes, logs } = await this.#check(job)
    const ns = target.namespace.id
    let deduplicated = 0
    let spooled = 0
    let stored = 0
    let overflow: Pick<IngestReply, 'overflow'> = {}
    if (items.length > 0) {
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
    const counts = { stored, rejected: refusals.count + notes.ignoredValues, deduplicated, bytes: request.body.length }
    if (deduplicated === 0 || request.idempotencyKey === undefined) this.#deps.ledger.count(ns, this.#signal.name, counts)
    const accepted = stored + spooled + deduplicated
    const waiting = spooled > 0 ? { spooled } : {}
    const reported = {
      ...waiting,
      ...overflow,
      ...noted(notes),
      ...this.#signal.read?.(items, logs, request.logs ?? DEFAULT_LOG_OPTIONS)
    }
    const reply = { ...summary(accepted, refusals, target), ...reported, ingest_id: ingestId }
    return { reply, wasStored: deduplicated > 0, items, refusals }
  }

  #allRefused(refusals: Refusals, target: ResolvedNamespace): GatewayError {
    return refusals.asError(target, this.#signal.retained)
  }

  #countReplay({ request, target }: Job, reply: IngestReply): void {
    const rejected = reply.rejected + (reply.ignored_values ?? 0)
    const counts = { stored: 0, rejected, deduplicated: reply.accepted, bytes: request.body.length }
    this.#deps.ledger.count(target.namespace.id, this.#signal.name, counts)
  }

  async #dryRun(job: Job): Promise<IngestReply> {
    if (isOfStream(job.raw)) this.#streams.check(job.raw)
    const { items, refusals, notes, logs } = await this.#check(job)
    if (items.length === 0 && refusals.count > 0) throw this.#allRefused(refusals, job.target)
    return {
      ...summary(items.length, refusals, job.target),
      ...noted(notes),
      ...this.#signal.read?.(items, logs, job.request.logs ?? DEFAULT_LOG_OPTIONS),
      dry_run: true,
      records: items.slice(0, MAX_SHOWN).map(item => this.#show(item, logs)),
      records_truncated: items.length > MAX_SHOWN
    }
  }

  #show(item: Item, logs: LogReadings): object {
    const read = logs.shownOf(item.index)
    return read === null ? this.#signal.show(item) : { ...this.#signal.show(item), read }
  }

  async #check(job: Job): Promise<Checked<Item>> {
    const check = this.#itemCheck(job)
    const checked: Checked<Item> = { items: [], refusals: new Refusals(), notes: check.notes, logs: check.logs }
    const slices = new TimedSlices(this.#deps.scheduler, this.#deps.clock)
    if (this.#isLarge(job.request)) await slices.next()
    const { items, metadata = [] } = job.raw
    for (let index = 0; index < items.length; index++) {
      if (slices.isOver()) await slices.next()
      this.#checkOne(checked, check, items[index], index)
    }
    for (const item of metadata) {
      if (slices.isOver()) await slices.next()
      this.#signal.note?.(item, check)
    }
    return checked
  }

  #checkOne({ items, refusals }: Checked<Item>, check: ItemCheck, item: unknown, index: number): void {
    if (item instanceof UnreadableItem) return refusals.add({ index, code: item.code, detail: item.detail })
    check.begin(index)
    const parsed = this.#signal.parse(item, check)
    if (isMany(parsed)) for (const part of parsed) items.push(part)
    else if (isRefused(parsed)) refusals.add(parsed)
    else items.push(parsed)
  }

  #itemCheck({ request, raw, target: { namespace } }: Job): ItemCheck {
    const { limits, clock } = this.#deps
    const nowNs = clock.nowNs()
    const check = new ItemCheck({
      limits,
      nowNs,
      oldestNs: retentionStartNs(namespace.retention, this.#signal.retained, nowNs),
      newestNs: nowNs + BigInt(limits.futureMs) * NS_PER_MS,
      namespaceId: namespace.id,
      namespace: namespace.name,
      country: request.country ?? null,
      shared: request.shared ?? NOTHING_SHARED,
      logs: request.logs ?? DEFAULT_LOG_OPTIONS,
      defaults: NO_DEFAULTS,
      isDryRun: request.isDryRun
    })
    const sent = parseLogDefaults(raw.defaults, check)
    const defaults = isOfStream(raw) ? withTag(sent, STREAM_TAG, raw.stream.id) : sent
    return defaults === NO_DEFAULTS ? check : new ItemCheck({ ...check.context, defaults })
  }
}

function isMany<Item extends object>(parsed: Item | readonly Item[] | RefusedItem): parsed is readonly Item[] {
  return Array.isArray(parsed)
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
