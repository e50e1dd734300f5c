import { setTimeout as sleep } from 'node:timers/promises'
import type { BodySource } from './bodies.js'
import { Connection, requestHead } from './connection.js'
import type { Target } from './connection.js'
import { summarizeLatencies } from './latencies.js'
import type { LatencySummary } from './latencies.js'

/** How load is offered: `rate` items a second on a fixed timetable, or as fast as `connections` allow when it is null. */
export interface Pace {
  readonly connections: number
  readonly rate: number | null
  readonly seconds: number
}

/** What came of it. */
export interface DriveResult {
  readonly seconds: number
  readonly items: number
  readonly requests: number
  readonly bytes: number
  /** From the intended send time to the complete response. */
  readonly latencyMs: LatencySummary
  /** Items acknowledged in each full second. */
  readonly itemsPerSecond: readonly number[]
  /** Responses other than 200 by status; 0 is a broken connection. */
  readonly refused: Readonly<Record<string, number>>
  readonly firstRefusal: string | null
}

/** Offers load for a while and collects the responses of the service. */
export class Drive {
  #target: Target
  #bodies: BodySource
  #latencies: number[] = []
  #perSecond: number[] = []
  #refused: Record<string, number> = {}
  #firstRefusal: string | null = null
  #bytes = 0
  #startedAt = 0

  constructor(target: Target, bodies: BodySource) {
    this.#target = target
    this.#bodies = bodies
  }

  async run(pace: Pace): Promise<DriveResult> {
    this.#startedAt = performance.now()
    const ends = this.#startedAt + pace.seconds * 1000
    const timetable = pace.rate === null ? null : new Timetable(this.#startedAt, (1000 * this.#bodies.itemsPerBody) / pace.rate)
    await Promise.all(Array.from({ length: pace.connections }, () => this.#sender(ends, timetable)))
    return this.#result((performance.now() - this.#startedAt) / 1000)
  }

  async #sender(ends: number, timetable: Timetable | null): Promise<void> {
    const connection = new Connection(this.#target)
    for (;;) {
      const intended = timetable ? timetable.take() : performance.now()
      if (intended >= ends) break
      const wait = intended - performance.now()
      if (wait > 0.5) await sleep(wait)
      await this.#sendOne(connection, intended)
    }
    connection.close()
  }

  async #sendOne(connection: Connection, intended: number): Promise<void> {
    const body = this.#bodies.next()
    try {
      const reply = await connection.send(requestHead(this.#target, this.#bodies.path, body.length), body)
      const now = performance.now()
      if (reply.status !== 200) return this.#refuse(String(reply.status), reply.body)
      this.#latencies.push(now - intended)
      this.#bytes += body.length
      const second = Math.floor((now - this.#startedAt) / 1000)
      this.#perSecond[second] = (this.#perSecond[second] ?? 0) + this.#bodies.itemsPerBody
    } catch (error) {
      this.#refuse('0', String(error))
      await sleep(20)
    }
  }

  #refuse(status: string, body: string): void {
    this.#refused[status] = (this.#refused[status] ?? 0) + 1
    this.#firstRefusal ??= `${status} ${body.slice(0, 300)}`
  }

  #result(seconds: number): DriveResult {
    return {
      seconds,
      items: this.#latencies.length * this.#bodies.itemsPerBody,
      requests: this.#latencies.length,
      bytes: this.#bytes,
      latencyMs: summarizeLatencies(this.#latencies),
      itemsPerSecond: Array.from(this.#perSecond, n => n ?? 0).slice(0, Math.floor(seconds)),
      refused: this.#refused,
      firstRefusal: this.#firstRefusal
    }
  }
}

/** Intended send times at equal distances; a sender that is late takes the next one all the same (open loop). */
class Timetable {
  #next: number
  #stepMs: number

  constructor(startMs: number, stepMs: number) {
    this.#next = startMs
    this.#stepMs = stepMs
  }

  take(): number {
    const at = this.#next
    this.#next += this.#stepMs
    return at
  }
}
