import type { NamespaceId } from '../domain/ids.js'
import type { Label } from '../domain/metric-point.js'
import { BoundedMap } from '../threads/bounded-map.js'

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
  readonly #series: BoundedMap<string, Running>

  constructor(maxSeries: number) {
    this.#series = new BoundedMap(maxSeries)
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
    if (known === undefined) this.#series.set(key, running)
    return { value: running.sum, startNs: running.startNs }
  }
}

function keyOf(namespace: NamespaceId, name: string, labels: readonly Label[]): string {
  return JSON.stringify([namespace, name, ...labels.flatMap(label => [label.name, label.value])])
}
