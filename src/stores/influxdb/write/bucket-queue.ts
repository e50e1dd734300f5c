import type { NamespaceId } from '../../../domain/ids.js'
import type { LineChunk } from './plan-lines.js'
import type { Refusal } from './send-lines.js'

interface QueuedPoints {
  readonly ns: NamespaceId
  readonly chunk: LineChunk
  readonly resolve: (refusals: readonly Refusal[]) => void
  readonly reject: (error: unknown) => void
}

/** What waits for one namespace, in order; a list with a head that moves, since a queue may contain thousands of points. */
interface Lane {
  items: QueuedPoints[]
  next: number
}

const COMPACT_AT = 1_000

/** Bounds of the queue. */
export interface QueueOptions {
  /** Writes lines of the bucket; see `sendLines`. */
  readonly send: (text: string) => Promise<readonly Refusal[]>
  readonly requestPoints: number
  readonly requestBytes: number
  readonly maxRequests: number
}

/**
 * The writes of one bucket. What gathers while a request is in flight goes with the next one: alone a point waits for
 * nothing, under load requests are large. Namespaces of a pool are served round-robin.
 */
export class BucketQueue {
  readonly #options: QueueOptions
  readonly #waiting = new Map<NamespaceId, Lane>()
  #running = 0

  constructor(options: QueueOptions) {
    this.#options = options
  }

  /** Requests in flight. */
  get running(): number {
    return this.#running
  }

  get isIdle(): boolean {
    return this.#running === 0 && this.#waiting.size === 0
  }

  /** Resolves with the lines of the chunk that were refused, by their place in it. */
  write(ns: NamespaceId, chunk: LineChunk): Promise<readonly Refusal[]> {
    return new Promise((resolve, reject) => {
      const lane = this.#waiting.get(ns)
      const waiting = { ns, chunk, resolve, reject }
      if (lane) lane.items.push(waiting)
      else this.#waiting.set(ns, { items: [waiting], next: 0 })
      this.#pump()
    })
  }

  /** Refuses what waits for a namespace. */
  discard(ns: NamespaceId, error: Error): void {
    const lane = this.#waiting.get(ns)
    this.#waiting.delete(ns)
    for (const { reject } of lane?.items.slice(lane.next) ?? []) reject(error)
  }

  #pump(): void {
    while (this.#running < this.#options.maxRequests && this.#waiting.size > 0) {
      this.#running++
      void this.#send(this.#take()).finally(() => {
        this.#running--
        this.#pump()
      })
    }
  }

  /** One chunk of each namespace in turn until the request is full; at least one. */
  #take(): readonly QueuedPoints[] {
    const { requestPoints, requestBytes } = this.#options
    const taken: QueuedPoints[] = []
    let points = 0
    let bytes = 0
    for (let next = this.#first(); next; next = this.#first()) {
      points += next.chunk.places.length
      bytes += next.chunk.sizeBytes
      if (taken.length > 0 && (points > requestPoints || bytes > requestBytes)) break
      taken.push(next)
      this.#turnFrom(next.ns)
    }
    return taken
  }

  #first(): QueuedPoints | undefined {
    const [lane] = this.#waiting.values()
    return lane?.items[lane.next]
  }

  /** Takes the first chunk of a namespace away and puts the rest behind the others. */
  #turnFrom(ns: NamespaceId): void {
    const lane = this.#waiting.get(ns)!
    this.#waiting.delete(ns)
    lane.next++
    if (lane.next >= COMPACT_AT) {
      lane.items = lane.items.slice(lane.next)
      lane.next = 0
    }
    if (lane.next < lane.items.length) this.#waiting.set(ns, lane)
  }

  async #send(taken: readonly QueuedPoints[]): Promise<void> {
    try {
      const refusals = await this.#options.send(taken.map(({ chunk }) => chunk.text).join(''))
      let from = 0
      for (const { chunk, resolve } of taken) {
        const to = from + chunk.places.length
        const start = from
        resolve(
          refusals.filter(({ line }) => line >= start && line < to).map(({ line, reason }) => ({ line: line - start, reason }))
        )
        from = to
      }
    } catch (error) {
      for (const { reject } of taken) reject(error)
    }
  }
}
