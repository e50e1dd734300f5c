import { join } from 'node:path'
import type { AgentConfig } from '../../../agent/src/config/config.js'
import { batchBody, type SealedBatch } from '../../../agent/src/deliver/batch-body.js'
import type { Delivery } from '../../../agent/src/deliver/deliverer.js'
import { recoverContainers } from '../../../agent/src/docker/container-records.js'
import { runDocker } from '../../../agent/src/docker/run-docker.js'
import { FaultLog } from '../../../agent/src/fault-log.js'
import type { Gap, Pin } from '../../../agent/src/files/stream-record.js'
import { Journal } from '../../../agent/src/journal/journal.js'
import type { LedgerStream } from '../../../agent/src/recover/ledger-streams.js'
import { FakeDocker } from './fake-docker.js'

interface Item {
  readonly message: string
  readonly timestamp: string
}

/** What the service has of one stream. */
interface StoredStream {
  readonly items: Item[]
  readonly gaps: Gap[]
  readonly path: string
  nextSeq: number
  bytesTo: number
  lineTo: number
  anchor: string | null
  end: Pin['end']
}

interface Waiter {
  readonly isDone: () => boolean
  readonly resolve: () => void
}

/** An agent over a daemon that speaks Docker's protocol, with a service in memory that stores each batch once. */
export class DockerSite {
  readonly #folder: string
  docker!: FakeDocker
  readonly streams = new Map<string, StoredStream>()
  readonly bodies: Readonly<Record<string, unknown>>[] = []
  readonly faults: string[] = []
  /** The agent is killed before the next batch is stored, or after that and before the response. */
  fails: 'before' | 'after' | null = null
  /** Batches that are stored before `fails` counts. */
  storesBefore = 0
  /** Lines of a batch that the service takes. */
  maxLines = Number.POSITIVE_INFINITY
  startAt: 'end' | 'beginning' = 'beginning'
  nowMs = Date.parse('2026-11-20T12:00:00Z')
  #stop = new AbortController()
  #running: Promise<void> | null = null
  #journal: Journal | null = null
  #waiting: Waiter[] = []

  constructor(folder: string) {
    this.#folder = folder
  }

  async open(): Promise<void> {
    this.docker = await FakeDocker.listen(join(this.#folder, 'docker.sock'))
  }

  async close(): Promise<void> {
    await this.stop()
    await this.docker.close()
  }

  get messages(): readonly string[] {
    return [...this.streams.values()].flatMap(({ items }) => items.map(({ message }) => message))
  }

  get gaps(): readonly Gap[] {
    return [...this.streams.values()].flatMap(({ gaps }) => gaps)
  }

  get ends(): readonly Pin['end'][] {
    return [...this.streams.values()].map(({ end }) => end)
  }

  /** What the service knows of the streams. */
  get ledger(): readonly LedgerStream[] {
    return [...this.streams].map(([id, { path, nextSeq, bytesTo, lineTo, anchor, end }]) => ({
      ...{ id, path, nextSeq, bytesTo, lineTo, head: null, anchor, pending: null, isEnded: end !== null },
      ...{ firstAtMs: this.nowMs, lastAtMs: this.nowMs, sealedAtMs: 0, recovered: null }
    }))
  }

  /** Resolves when something is so after a batch or a fault. */
  until(isDone: () => boolean): Promise<void> {
    if (isDone()) return Promise.resolve()
    return new Promise(resolve => this.#waiting.push({ isDone, resolve }))
  }

  /** Resolves when so many records are stored. */
  stored(count: number): Promise<void> {
    return this.until(() => this.messages.length >= count)
  }

  /** @param state the name of the state folder. @param ledger of the service, for an agent without state. */
  async start(state = 'state', ledger: readonly LedgerStream[] = []): Promise<void> {
    const journal = await Journal.open(join(this.#folder, state))
    await recoverContainers(journal, ledger, this)
    this.#journal = journal
    this.#stop = new AbortController()
    const logs = { batchSize: 3, maxBatchSize: 5, intervalMs: 1 }
    const config = { namespace: null, host: 'web-1', tags: {}, logs } as unknown as AgentConfig
    const clock = { nowMs: () => this.nowMs, elapsedMs: () => performance.now() }
    const log = (event: string, fields: Readonly<Record<string, unknown>>): void => {
      this.faults.push(`${event}: ${JSON.stringify(fields['err'] ?? fields['driver'])}`)
      this.#changed()
    }
    const stop = this.#stop
    this.#running = runDocker({
      ...{ config, journal, clock, log, faults: new FaultLog(log, clock), signal: stop.signal, firstWaitMs: 1 },
      source: { socket: join(this.#folder, 'docker.sock'), startAt: this.startAt },
      deliver: async batch => this.#store(batch, config, stop)
    })
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
    await this.#journal?.close()
    this.#running = null
    this.#journal = null
  }

  /** Resolves when the agent was killed by `fails`. */
  async died(): Promise<void> {
    await this.until(() => this.#stop.signal.aborted)
    await this.stop()
    this.fails = null
  }

  #changed(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const one of waiting) {
      if (one.isDone()) one.resolve()
      else this.#waiting.push(one)
    }
  }

  #store(batch: SealedBatch, config: AgentConfig, stop: AbortController): Delivery {
    try {
      stop.signal.throwIfAborted()
      if (batch.lines.length > this.maxLines) return { kind: 'too_large' }
      const fails = this.storesBefore-- > 0 ? null : this.fails
      if (fails === 'before') return this.#die(stop)
      const stream = this.#add(batch, config)
      if (fails === 'after') return this.#die(stop)
      const { nextSeq, bytesTo, lineTo } = stream
      return { kind: 'stored', position: { nextSeq, bytesTo, lineTo }, rejected: 0 }
    } finally {
      this.#changed()
    }
  }

  #die(stop: AbortController): never {
    stop.abort()
    throw new Error('killed')
  }

  #add({ ...batch }: SealedBatch, config: AgentConfig): StoredStream {
    const { record, pin, anchor } = batch
    const from = pin.gap?.from ?? pin.from
    const none = { items: [], gaps: [], path: record.path, nextSeq: pin.seq, bytesTo: from, lineTo: pin.firstLine - 1 }
    const stream = this.streams.get(record.id) ?? { ...none, anchor: null, end: null }
    this.streams.set(record.id, stream)
    if (pin.seq !== stream.nextSeq) return stream
    if (from !== stream.bytesTo) throw new Error(`batch ${pin.seq} begins at ${from}, the stream is at ${stream.bytesTo}`)
    const body = JSON.parse(batchBody(batch, config, 'host').toString()) as Record<string, unknown> & { logs: Item[] }
    this.bodies.push(body)
    stream.items.push(...body.logs)
    if (pin.gap !== null) stream.gaps.push(pin.gap)
    stream.nextSeq++
    stream.bytesTo = pin.to
    stream.lineTo = pin.firstLine + pin.lines - 1
    stream.end = pin.end
    if (anchor.bytes > 0) stream.anchor = anchor.sum
    return stream
  }
}
