import { LATE_MS } from './limits.js'
import type { CountedSpan } from './tail-cursor.js'

/**
 * What a tail has left behind: spans of arrival, one after the other, of which it does not know any more which records it
 * delivered, only how many it delivered or dropped. Each is counted once, when nothing of it becomes searchable any more.
 */
export class LeftSpans {
  readonly #spans: CountedSpan[]
  readonly #limit: number
  #endMs: number

  /** @param endMs where the first span begins, or the last of `spans` ends @param limit spans; more are joined */
  constructor(spans: readonly CountedSpan[], endMs: number, limit: number) {
    this.#spans = [...spans]
    this.#endMs = endMs
    this.#limit = limit
  }

  /** Everything that arrived before is left, Unix milliseconds. */
  get endMs(): number {
    return this.#endMs
  }

  /** Leaves what arrived up to `toMs`, of which `count` records were delivered or dropped. */
  leave(toMs: number, count: number): void {
    this.#spans.splice(0, Number.POSITIVE_INFINITY, ...this.and(toMs, count))
    this.#endMs = Math.max(this.#endMs, toMs)
  }

  /** The spans, oldest first, as they would be with this one. The latest two are joined when they are too many. */
  and(toMs: number, count: number): readonly CountedSpan[] {
    if (toMs <= this.#endMs) return this.#spans
    const span = { fromMs: this.#endMs, toMs, count }
    const last = this.#spans.at(-1)
    if (!last || this.#spans.length < this.#limit) return [...this.#spans, span]
    return [...this.#spans.slice(0, -1), { fromMs: last.fromMs, toMs, count: last.count + count }]
  }

  /** The span that is to be counted now. */
  due(nowMs: number): CountedSpan | null {
    const [first] = this.#spans
    return first && nowMs - first.toMs >= LATE_MS ? first : null
  }

  /** To be called when the first span was counted. */
  forgetFirst(): void {
    this.#spans.shift()
  }
}
