import { diagnosisOf, GatewayError, isGatewayError, sentenceOf } from '../../domain/errors.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { AppendResult, Batch } from '../../ports/append.js'
import type { QueueBudget } from '../shared/queue-budget.js'
import { attempt } from './attempt.js'
import type { Circuit } from './circuit.js'
import type { SpoolLimits } from './limits.js'
import type { Replayer } from './replayer.js'
import type { Spool } from './spool.js'
import type { SpoolSignal } from './spool-frames.js'
import type { Timers } from '../../ports/timers.js'

const RETRY_AFTER_S = 5

/** What the appends of one engine share. */
export interface SpooledAppendDeps {
  readonly spool: Spool
  readonly replayer: Replayer
  readonly circuit: Circuit
  /** Records on their way to the engine. */
  readonly inFlight: QueueBudget
  readonly limits: SpoolLimits
  readonly timers: Timers
  readonly dropped: ReadonlySet<NamespaceId>
}

/** Why records go to the spool. `error` is the engine's result, null if it was not called. */
interface Cause {
  readonly error: GatewayError | null
  readonly late: Promise<unknown> | null
}

const NOT_ASKED: Cause = { error: null, late: null }

/** The appends of one signal: to the engine while it responds and nothing older waits, else to the spool. */
export class SpooledAppend<Item> {
  readonly #signal: SpoolSignal
  readonly #append: (ns: NamespaceId, batch: Batch<Item>) => Promise<AppendResult>
  readonly #parts: SpooledAppendDeps

  constructor(
    signal: SpoolSignal,
    append: (ns: NamespaceId, batch: Batch<Item>) => Promise<AppendResult>,
    parts: SpooledAppendDeps
  ) {
    this.#signal = signal
    this.#append = append
    this.#parts = parts
  }

  async append(ns: NamespaceId, batch: Batch<Item>): Promise<AppendResult> {
    const { spool, inFlight } = this.#parts
    this.#refuseDropped(ns)
    const records = batch.items.length
    if (spool.isWaiting(ns, this.#signal) || !this.#mayRequest(ns, records)) return this.#spool(ns, batch, NOT_ASKED)
    try {
      return await this.#appendToEngine(ns, batch)
    } finally {
      inFlight.give(ns, records)
    }
  }

  #refuseDropped(ns: NamespaceId): void {
    if (this.#parts.dropped.has(ns)) throw new GatewayError('namespace_deleted', 'the namespace is deleted')
  }

  /** Takes what an append to the engine needs. */
  #mayRequest(ns: NamespaceId, records: number): boolean {
    const { inFlight, circuit } = this.#parts
    try {
      inFlight.take(ns, records)
    } catch (error) {
      if (isGatewayError(error, 'overloaded')) return false
      throw error
    }
    if (circuit.mayTry()) return true
    inFlight.give(ns, records)
    return false
  }

  async #appendToEngine(ns: NamespaceId, batch: Batch<Item>): Promise<AppendResult> {
    const { circuit, limits, timers } = this.#parts
    const end = await attempt(() => this.#append(ns, batch), limits.responseTimeoutMs, timers)
    if (end.kind === 'outage' && end.isSilent) circuit.failed(sentenceOf(end.error), diagnosisOf(end.error))
    else circuit.succeeded()
    if (end.kind === 'stored') return end.result
    if (end.kind !== 'outage') throw end.error
    return this.#spool(ns, batch, end)
  }

  async #spool(ns: NamespaceId, batch: Batch<Item>, { error, late }: Cause): Promise<AppendResult> {
    const { spool, replayer } = this.#parts
    this.#refuseDropped(ns)
    if (batch.mayWait === false) throw error ?? cannotWait()
    if (late) replayer.expectLate(spool.queue(ns, this.#signal), late)
    const queue = await spool.append(ns, this.#signal, batch).catch((refusal: unknown) => {
      throw error === null ? refusal : undecided(refusal)
    })
    replayer.wake(queue, error !== null)
    const accepted = batch.items.length
    return { accepted, deduplicated: 0, spooled: accepted, failures: [] }
  }
}

function cannotWait(): GatewayError {
  return new GatewayError('store_unavailable', 'the store is unavailable: records would be spooled and not searchable', {
    retryAfterS: RETRY_AFTER_S
  })
}

// The engine may have stored them: the response must not let the caller forget their ingest id.
function undecided(refusal: unknown): unknown {
  if (!isGatewayError(refusal, 'overloaded')) return refusal
  return new GatewayError('store_unavailable', refusal.message, { retryAfterS: refusal.retryAfterS ?? RETRY_AFTER_S })
}
