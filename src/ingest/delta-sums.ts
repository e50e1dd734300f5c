import type { NamespaceId } from '../domain/ids.js'
import type { Label } from '../domain/metric-point.js'

interface Running {
  sum: number
  lastNs: bigint
  readonly startNs: bigint
}

/** A cumulative value, and when it was zero: arrival of the first point that is in it. */
export interface DeltaSum {
  readonly value: number
  readonly startNs: bigint
}

/**
 * Adds up delta points to the cumulative values that series are made of (OpenTelemetry metrics data model, "Sums:
 * Delta-to-Cumulative"). What is known is bounded and lives in this process: a series that was forgotten, or a start of
 * the service, begins again at zero, which readers see as the reset of a counter.
 */
export class DeltaSums {
  readonly #maxSeries: number
  readonly #series = new Map<string, Running>()

  constructor(maxSeries: number) {
    this.#maxSeries = maxSeries
  }

  /** The cumulative value at the point's time. A point that was seen before, as in a retried request, adds nothing. */
  add(
    { namespace, name, labels }: { readonly namespace: NamespaceId; readonly name: string; readonly labels: readonly Label[] },
    { timeNs, delta, nowNs }: { readonly timeNs: bigint; readonly delta: number; readonly nowNs: bigint }
  ): DeltaSum {
    const key = keyOf(namespace, name, labels)
    const known = this.#series.get(key)
    const running = known ?? { sum: 0, lastNs: timeNs - 1n, startNs: nowNs }
    if (timeNs > running.lastNs) {
      running.sum += delta
      running.lastNs = timeNs
    }
    // The least recently used goes first.
    this.#series.delete(key)
    this.#series.set(key, running)
    if (this.#series.size > this.#maxSeries) this.#series.delete(this.#series.keys().next().value!)
    return { value: running.sum, startNs: running.startNs }
  }
}

function keyOf(namespace: NamespaceId, name: string, labels: readonly Label[]): string {
  return JSON.stringify([namespace, name, ...labels.flatMap(label => [label.name, label.value])])
}
