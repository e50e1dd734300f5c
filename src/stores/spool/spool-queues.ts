import type { NamespaceId } from '../../domain/ids.js'
import type { WaitingRecords } from '../../ports/record-spool.js'
import type { WaitingCount } from '../../ports/waiting-board.js'
import type { SpoolSignal } from './spool-frames.js'
import { SpoolQueue } from './spool-queue.js'

/** Records of all queues at one moment. */
interface QueuedTotals {
  readonly records: number
  /** Unix milliseconds; null when nothing waits. */
  readonly oldestMs: number | null
}

function keyOf(ns: NamespaceId, signal: SpoolSignal): string {
  return `${signal} ${ns}`
}

function recordsOf({ byDay }: SpoolQueue): number {
  return byDay.reduce((sum, { records }) => sum + records, 0)
}

/** The queues of a spool, one per namespace and signal. Empty queues are dropped by `dropIfIdle`. */
export class SpoolQueues {
  readonly #queues = new Map<string, SpoolQueue>()

  /** The queue of a namespace and signal, created on first use. */
  of(ns: NamespaceId, signal: SpoolSignal): SpoolQueue {
    const key = keyOf(ns, signal)
    const found = this.#queues.get(key)
    if (found) return found
    const made = new SpoolQueue(ns, signal)
    this.#queues.set(key, made)
    return made
  }

  /** Whether a new batch of the namespace and signal has to queue behind others. */
  isWaiting(ns: NamespaceId, signal: SpoolSignal): boolean {
    return this.#queues.get(keyOf(ns, signal))?.isWaiting ?? false
  }

  all(): Iterable<SpoolQueue> {
    return this.#queues.values()
  }

  /** Non-empty queues of these signals. */
  waitingOf(signals: ReadonlySet<SpoolSignal>): SpoolQueue[] {
    return [...this.#queues.values()].filter(queue => signals.has(queue.signal) && queue.length > 0)
  }

  /** Drops the queue when it has no frames and no writes in flight. */
  dropIfIdle(queue: SpoolQueue): void {
    if (!queue.isWaiting) this.#queues.delete(keyOf(queue.ns, queue.signal))
  }

  /** Waiting records of all namespaces, sorted by signal and namespace. */
  counts(): readonly WaitingCount[] {
    const waiting = [...this.#queues.values()].filter(({ length }) => length > 0)
    const counts = waiting.map(queue => ({ namespaceId: queue.ns, signal: queue.signal, records: recordsOf(queue) }))
    return counts.toSorted((a, b) => (keyOf(a.namespaceId, a.signal) < keyOf(b.namespaceId, b.signal) ? -1 : 1))
  }

  /** Waiting records of a namespace, by signal and day of arrival. */
  countsOf(ns: NamespaceId): WaitingRecords[] {
    const own = [...this.#queues.values()].filter(queue => queue.ns === ns)
    return own.flatMap(({ signal, byDay }) => byDay.map(({ day, records }) => ({ day, signal, records })))
  }

  get totals(): QueuedTotals {
    let records = 0
    let oldestMs: number | null = null
    for (const queue of this.#queues.values()) {
      records += recordsOf(queue)
      if (queue.first) oldestMs = Math.min(oldestMs ?? queue.first.atMs, queue.first.atMs)
    }
    return { records, oldestMs }
  }
}
