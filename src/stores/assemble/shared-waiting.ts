import type { NamespaceId } from '../../domain/ids.js'
import type { BackgroundJobs, RepeatedJob } from '../../ports/background-jobs.js'
import type { Clock } from '../../ports/clock.js'
import type { WaitingBoard, WaitingCount } from '../../ports/waiting-board.js'
import type { GatewayId } from './gateway-id.js'

/** Less than half of the two seconds after which every gateway knows. */
const EVERY_MS = 800
/** A gateway publishes its counts again at this interval; those of a lost gateway expire after `FORGOTTEN_AFTER_MS`. */
const REPUBLISH_MS = 3_600_000
const FORGOTTEN_AFTER_MS = 7 * 86_400_000
const JOB = 'waiting_records'

/** Dependencies of `SharedWaiting`. */
export interface SharedWaitingDeps {
  readonly board: WaitingBoard
  /** This start of this gateway. */
  readonly gateway: GatewayId
  /** What waits here. */
  readonly own: () => readonly WaitingCount[]
  readonly clock: Clock
  readonly jobs: BackgroundJobs
}

function keyOf(ns: NamespaceId, signal: WaitingCount['signal']): string {
  return `${signal} ${ns}`
}

/** Publishes the queue of this gateway's spool to other gateways, and reads theirs. */
export class SharedWaiting {
  readonly #parts: SharedWaitingDeps
  #elsewhere: ReadonlyMap<string, number> = new Map()
  #reported = ''
  #reportedAtMs = -Infinity
  #hasEarlier = true
  #job: RepeatedJob | null = null

  constructor(parts: SharedWaitingDeps) {
    this.#parts = parts
  }

  /** Records that wait on other gateways, as published last. */
  elsewhere(ns: NamespaceId, signal: WaitingCount['signal']): number {
    return this.#elsewhere.get(keyOf(ns, signal)) ?? 0
  }

  start(): void {
    this.#job ??= this.#parts.jobs.repeat(JOB, EVERY_MS, () => this.round())
  }

  async stop(): Promise<void> {
    await this.#job?.stop()
  }

  /** Publishes and reads once. */
  async round(): Promise<void> {
    await this.#publish()
    if (this.#hasEarlier) await this.#withdrawEarlier()
    const { board, gateway, clock } = this.#parts
    const counts = await board.ofOthers(gateway.id, clock.nowMs() - FORGOTTEN_AFTER_MS)
    this.#elsewhere = new Map(counts.map(({ namespaceId, signal, records }) => [keyOf(namespaceId, signal), records]))
  }

  async #publish(): Promise<void> {
    const { board, gateway, own, clock } = this.#parts
    const counts = own()
    const text = JSON.stringify(counts)
    const nowMs = clock.nowMs()
    const isRecent = text === this.#reported && nowMs - this.#reportedAtMs < REPUBLISH_MS
    if (isRecent && (counts.length === 0 || (await board.keptOf(gateway.id)) === counts.length)) return
    await board.publish(gateway.id, counts, nowMs)
    this.#reported = text
    this.#reportedAtMs = nowMs
  }

  /**
   * Records that earlier starts published as queued in this spool, which this one publishes under its own id. In a copy of a data
   * folder one of them may still run in the original: it finds its counts gone in its next round, and publishes them again.
   */
  async #withdrawEarlier(): Promise<void> {
    const { board, gateway, clock } = this.#parts
    for (const id of gateway.earlier) await board.publish(id, [], clock.nowMs())
    if (gateway.earlier.length > 0) await gateway.forgetEarlier()
    this.#hasEarlier = false
  }
}
