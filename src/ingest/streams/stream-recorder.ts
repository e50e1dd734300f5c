import { GatewayError } from '../../domain/errors.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { LogStream } from '../../domain/log-stream.js'
import type { Clock } from '../../ports/clock.js'
import type { ControlPorts, ControlStore } from '../../ports/control-store.js'
import type { StreamAccount, StreamChange } from '../../ports/stream-ledger.js'
import type { StreamPosition } from '../ingest-request.js'
import { type AppliedBatch, applyBatch, type BatchOutcome, beginStream, judgeBatch } from './apply-batch.js'
import type { StreamBatch } from './stream-batch.js'
import type { StreamLimits } from './stream-limits.js'

interface Waiting {
  readonly ns: NamespaceId
  readonly id: string
  /** Null: nothing changes. */
  readonly apply: (account: StreamAccount | null) => AppliedBatch | null
  readonly resolve: (stream: LogStream) => void
  readonly reject: (error: unknown) => void
}

/** What a batch is before it is stored. */
export interface JudgedBatch {
  /** All of it is stored already. */
  readonly isRepeat: boolean
  readonly account: StreamAccount | null
}

/** Position of a stream in responses. */
export function positionOf({ id, nextSeq, bytesTo, lineTo, recovered }: LogStream): StreamPosition {
  return { id, next_seq: nextSeq, bytes_to: bytesTo, line_to: lineTo, ...(recovered !== null && { recovered }) }
}

export interface StreamRecorderDeps {
  readonly control: Pick<ControlStore, 'streams' | 'transaction'>
  readonly clock: Clock
  readonly limits: StreamLimits
  /** Called after the ledger has new gaps, those of lines that rules drop aside. Must not throw. */
  readonly onGaps?: () => void
}

/** A transaction's streams after each change, and whether gaps are new or changed. */
interface AppliedChanges {
  readonly streams: readonly LogStream[]
  readonly hasGaps: boolean
}

/**
 * Writes what arrived of log streams into the ledger, between the append of a batch and its response: the ledger is never
 * ahead of the data. Batches that arrive while a transaction runs share the next one.
 */
export class StreamRecorder {
  readonly #deps: StreamRecorderDeps
  #waiting: Waiting[] = []
  #isWriting = false

  constructor(deps: StreamRecorderDeps) {
    this.#deps = deps
  }

  /**
   * Compares a batch with the ledger. `conflict` for one that contradicts it, with the position of the stream;
   * `quota_exceeded` for a new stream of a namespace at its limit.
   */
  async judge(ns: NamespaceId, batch: StreamBatch): Promise<JudgedBatch> {
    const { control, limits } = this.#deps
    const account = await control.streams.account(ns, batch.id)
    if (account === null) await this.#admit(ns)
    const judgement = judgeBatch(account, batch, limits)
    if (judgement.kind === 'conflict') {
      const position = account === null ? {} : { members: { stream: positionOf(account.stream) } }
      throw new GatewayError('conflict', judgement.detail, { field: 'stream', ...position })
    }
    return { isRepeat: judgement.kind === 'repeat', account }
  }

  /** Resolves when the ledger has the stream of a first batch, crash-safe. */
  async begin(ns: NamespaceId, batch: StreamBatch, atMs: number): Promise<void> {
    await this.#queue(ns, batch.id, account => beginStream(ns, account, { batch, atMs }))
  }

  /** Resolves with the stream when the outcome is in the ledger, crash-safe. */
  record(ns: NamespaceId, outcome: BatchOutcome): Promise<LogStream> {
    return this.#queue(ns, outcome.batch.id, account => applyBatch(ns, account, outcome, this.#deps.limits))
  }

  #queue(ns: NamespaceId, id: string, apply: Waiting['apply']): Promise<LogStream> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ns, id, apply, resolve, reject })
      if (!this.#isWriting) void this.#writeAll()
    })
  }

  async #admit(ns: NamespaceId): Promise<void> {
    const { control, clock, limits } = this.#deps
    if ((await control.streams.count(ns)) < limits.streams) return
    const isFree = await control.transaction(ports => ports.streams.forgetOldest(ns, clock.nowMs() - limits.idleMs))
    if (isFree) return
    const detail = `the namespace has ${limits.streams} open log streams; end some, or wait until one wrote nothing for a week`
    throw new GatewayError('quota_exceeded', detail, { field: 'stream.id' })
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true
    while (this.#waiting.length > 0) {
      const batch = this.#waiting
      this.#waiting = []
      await this.#write(batch)
    }
    this.#isWriting = false
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    try {
      const { streams, hasGaps } = await this.#deps.control.transaction(ports => this.#apply(ports, batch))
      if (hasGaps) this.#deps.onGaps?.()
      for (const [i, { resolve }] of batch.entries()) resolve(streams[i]!)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  async #apply({ streams }: ControlPorts, batch: readonly Waiting[]): Promise<AppliedChanges> {
    const accounts = new Map<string, StreamAccount | null>()
    const changes: StreamChange[] = []
    const results: LogStream[] = []
    for (const { ns, id, apply } of batch) {
      const key = `${ns} ${id}`
      const account = accounts.has(key) ? accounts.get(key)! : await streams.account(ns, id)
      const applied = apply(account)
      const after = applied?.account ?? account!
      accounts.set(key, after)
      if (applied) changes.push(applied.change)
      results.push(after.stream)
    }
    await streams.save(changes)
    return { streams: results, hasGaps: changes.some(({ gaps }) => gaps.some(({ reason }) => reason !== 'dropped')) }
  }
}
