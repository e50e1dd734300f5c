import type { Clock } from './clock.js'

/** Writes one event with its fields. */
export type Log = (event: string, fields: Readonly<Record<string, unknown>>) => void

const REPEAT_MS = 60_000
const MAX_FAULTS = 1_000

/** Logs a fault when it begins and once a minute while it lasts. */
export class FaultLog {
  readonly #log: Log
  readonly #clock: Clock
  readonly #loggedMs = new Map<string, number>()

  constructor(log: Log, clock: Clock) {
    this.#log = log
    this.#clock = clock
  }

  /** @param subject of which faults are counted apart: a path, an address. */
  report(event: string, subject: string, fields: Readonly<Record<string, unknown>>): void {
    const key = JSON.stringify([event, subject, fields])
    const nowMs = this.#clock.elapsedMs()
    const lastMs = this.#loggedMs.get(key)
    if (lastMs !== undefined && nowMs - lastMs < REPEAT_MS) return
    if (this.#loggedMs.size >= MAX_FAULTS) this.#loggedMs.clear()
    this.#loggedMs.set(key, nowMs)
    this.#log(event, fields)
  }
}
