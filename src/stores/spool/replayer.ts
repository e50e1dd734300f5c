import { diagnosisOf, GatewayError, isGatewayError, sentenceOf } from '../../domain/errors.js'
import type { Batch } from '../../ports/append.js'
import type { ReplayedRecords } from '../../ports/record-spool.js'
import { attempt } from './attempt.js'
import { type Circuit, pauseMs } from './circuit.js'
import type { SpoolLimits } from './limits.js'
import { type Obstacle, ReplayGroup, type ReplaySignal } from './replay-group.js'
import type { JobMonitor } from '../../ports/background-jobs.js'
import type { Logger } from '../../ports/logger.js'
import type { Spool } from './spool.js'
import type { SpoolSignal } from './spool-frames.js'
import { dayOf, type SpoolQueue } from './spool-queue.js'
import type { Timers } from '../../ports/timers.js'

/** How long a result that came too late may delay its queue, in times that an append may take. */
const LATE_FACTOR = 6

/** What replaying works with. */
export interface ReplayerDeps {
  readonly spool: Spool
  readonly signals: ReadonlyMap<SpoolSignal, ReplaySignal>
  readonly circuit: Circuit
  readonly limits: SpoolLimits
  readonly timers: Timers
  readonly monotonicMs: () => number
  readonly random: () => number
  readonly logger: Logger
  /** How draining goes. */
  readonly job: JobMonitor
  readonly onReplayed: (outcome: ReplayedRecords) => void
}

/** Someone who waits until a queue is drained up to a frame. */
interface Waiter {
  readonly number: number
  resolve(): void
  reject(error: unknown): void
}

/** A queue and how its replay goes. */
interface Draining {
  readonly queue: SpoolQueue
  readonly waiters: Waiter[]
  /** Results that have not arrived yet of appends that timed out: until then their records must not be sent again. */
  readonly late: Set<Promise<unknown>>
  group: ReplayGroup | null
  /** In a row. */
  failures: number
  pausedUntilMs: number
  running: Promise<void> | null
  isDropped: boolean
}

/** Sends what waits for one engine again, each queue in order, some queues at once, with growing pauses while it fails. */
export class Replayer {
  readonly #parts: ReplayerDeps
  /** In the order of service: the queue that was served last is last. */
  readonly #drains = new Map<SpoolQueue, Draining>()
  #running = 0
  #isStarted = false
  #isClosed = false
  #cancelTimer = (): void => undefined

  constructor(parts: ReplayerDeps) {
    this.#parts = parts
  }

  /** Queues that are being replayed or wait for it. */
  get draining(): number {
    return this.#drains.size
  }

  /** Begins with what an earlier start left, and everything since. */
  start(): void {
    if (this.#isStarted) return
    this.#isStarted = true
    for (const queue of this.#parts.spool.waitingQueues(new Set(this.#parts.signals.keys()))) this.#drainOf(queue)
    this.#pump()
  }

  /** Something was added to the queue; `hasFailed` when the engine has just refused it. */
  wake(queue: SpoolQueue, hasFailed: boolean): void {
    if (queue.length > 0) {
      const drain = this.#drainOf(queue)
      if (hasFailed && drain.failures === 0) this.#pause(drain)
    }
    this.#pump()
  }

  /** Before something is added to the queue: `late` is the result to an append of it that was given up. */
  expectLate(queue: SpoolQueue, late: Promise<unknown>): void {
    this.#block(this.#drainOf(queue), late)
  }

  /** Tries at once; resolves when everything that waits in the queue now is replayed, rejects when that fails. */
  async drained(queue: SpoolQueue): Promise<void> {
    const { last } = queue
    if (!last) return
    if (this.#isClosed) throw closed()
    const drain = this.#drainOf(queue)
    await new Promise<void>((resolve, reject) => {
      drain.waiters.push({ number: last.number, resolve, reject })
      drain.pausedUntilMs = 0
      this.#parts.circuit.hurry()
      this.#isStarted = true
      this.#pump()
    })
  }

  /** Takes everything of the queue away; it counts as rejected. */
  async drop(queue: SpoolQueue): Promise<void> {
    const drain = this.#drainOf(queue)
    drain.isDropped = true
    await this.#parts.spool.written()
    await drain.running
    const { byDay } = queue
    await this.#parts.spool.remove(queue, queue.length)
    this.#drains.delete(queue)
    for (const { day, records } of byDay) this.#report(queue, day, { stored: 0, rejected: records })
    for (const waiter of drain.waiters) waiter.resolve()
  }

  /** Sends nothing more; resolves when what is in progress has ended. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelTimer()
    const drains = [...this.#drains.values()]
    await Promise.all(drains.map(async ({ running }) => running))
    for (const { waiters } of drains) for (const waiter of waiters.splice(0)) waiter.reject(closed())
  }

  #drainOf(queue: SpoolQueue): Draining {
    const found = this.#drains.get(queue)
    if (found) return found
    const made: Draining = {
      queue,
      waiters: [],
      late: new Set(),
      group: null,
      failures: 0,
      pausedUntilMs: 0,
      running: null,
      isDropped: false
    }
    this.#drains.set(queue, made)
    return made
  }

  // Records that have an id of their own may come twice at any time; of others the late one could replace a newer.
  #block(drain: Draining, late: Promise<unknown>): void {
    const { timers, limits, signals } = this.#parts
    if (!signals.get(drain.queue.signal)!.isOrdered) return
    drain.late.add(late)
    const release = (): void => {
      cancel()
      if (drain.late.delete(late)) this.#pump()
    }
    const cancel = timers.after(LATE_FACTOR * limits.responseTimeoutMs, release)
    void late.then(release, release)
  }

  #pump(): void {
    if (!this.#isStarted || this.#isClosed) return
    this.#cancelTimer()
    const nowMs = this.#parts.monotonicMs()
    let waitMs: number | null = null
    for (const drain of [...this.#drains.values()]) {
      if (this.#running >= this.#parts.limits.replayQueues) break
      if (isOver(drain)) this.#drains.delete(drain.queue)
      if (drain.running || drain.isDropped || drain.late.size > 0 || drain.queue.length === 0) continue
      const pauseLeftMs = Math.max(drain.pausedUntilMs - nowMs, this.#parts.circuit.waitMs ?? Number.POSITIVE_INFINITY)
      if (pauseLeftMs > 0) waitMs = Math.min(waitMs ?? pauseLeftMs, pauseLeftMs)
      else if (this.#parts.circuit.mayTry()) this.#run(drain)
    }
    // While a probe is in progress its end comes back here.
    if (waitMs !== null && Number.isFinite(waitMs)) this.#cancelTimer = this.#parts.timers.after(waitMs, () => this.#pump())
  }

  #run(drain: Draining): void {
    this.#running++
    this.#drains.delete(drain.queue)
    this.#drains.set(drain.queue, drain)
    drain.running = this.#replay(drain)
      .catch((error: unknown) => {
        this.#parts.circuit.abandoned()
        this.#rest(drain, error)
      })
      .finally(() => {
        this.#running--
        drain.running = null
        if (isOver(drain)) this.#drains.delete(drain.queue)
        this.#pump()
      })
  }

  async #replay(drain: Draining): Promise<void> {
    const { queue } = drain
    const group = (drain.group ??= this.#newGroup(queue))
    const obstacle = await group.send(drain.failures > 0)
    if (obstacle) return this.#obstructed(drain, obstacle)
    if (group.isRequested) this.#parts.circuit.succeeded()
    else this.#parts.circuit.abandoned()
    drain.group = null
    drain.failures = 0
    this.#noteSuccess()
    await this.#parts.spool.remove(queue, group.frames.length)
    this.#report(queue, dayOf(group.frames[0]!.atMs), group)
    this.#resolveWaiters(drain, group.frames.at(-1)!.number)
  }

  /** While any queue fails, the job does. */
  #noteSuccess(): void {
    for (const { failures } of this.#drains.values()) if (failures > 0) return
    this.#parts.job.succeeded()
  }

  #newGroup(queue: SpoolQueue): ReplayGroup {
    const { spool, signals, limits, timers, logger } = this.#parts
    const signal = signals.get(queue.signal)!
    return new ReplayGroup({
      spool,
      queue,
      limits,
      isOrdered: signal.isOrdered,
      append: (batch: Batch<unknown>) => attempt(() => signal.append(queue.ns, batch), limits.responseTimeoutMs, timers),
      onTrouble: (message, err) => logger.error({ err }, message)
    })
  }

  #obstructed(drain: Draining, { error, isSilent, late }: Obstacle): void {
    const { circuit } = this.#parts
    if (isSilent) circuit.failed(sentenceOf(error), diagnosisOf(error))
    else circuit.succeeded()
    if (!drain.group?.isBegun) drain.group = null
    for (const result of late) this.#block(drain, result)
    this.#rest(drain, error)
  }

  #rest(drain: Draining, error: unknown): void {
    const { ns: namespace, signal } = drain.queue
    this.#parts.job.failed(error, { namespace, signal })
    this.#pause(drain)
    for (const waiter of drain.waiters.splice(0)) waiter.reject(asUnavailable(error))
  }

  #pause(drain: Draining): void {
    const { limits, random, monotonicMs } = this.#parts
    drain.failures++
    drain.pausedUntilMs = monotonicMs() + pauseMs(drain.failures, limits, random)
  }

  #resolveWaiters(drain: Draining, number: number): void {
    const done = drain.waiters.filter(waiter => waiter.number <= number)
    for (const waiter of done) {
      drain.waiters.splice(drain.waiters.indexOf(waiter), 1)
      waiter.resolve()
    }
  }

  #report({ ns, signal }: SpoolQueue, day: string, { stored, rejected }: { stored: number; rejected: number }): void {
    if (stored + rejected > 0) this.#parts.onReplayed({ namespaceId: ns, day, signal, stored, rejected })
  }
}

/** The queue is empty, has no waiters, and nothing is in progress. */
function isOver({ queue, waiters, late, running, isDropped }: Draining): boolean {
  return !queue.isWaiting && waiters.length === 0 && late.size === 0 && running === null && !isDropped
}

function closed(): GatewayError {
  return new GatewayError('store_unavailable', 'the service is stopping', { retryAfterS: 5 })
}

function asUnavailable(error: unknown): GatewayError {
  if (isGatewayError(error, 'store_unavailable')) return error
  return new GatewayError('store_unavailable', `records are still spooled: ${sentenceOf(error)}`, {
    diagnosis: `records are still spooled: ${diagnosisOf(error)}`,
    retryAfterS: 5,
    cause: error
  })
}
