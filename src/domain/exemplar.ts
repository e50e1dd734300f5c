import type { Label } from './metric-point.js'

/** One observation that represents others of its series, with the attributes that lead to its trace. */
export interface Exemplar {
  /** Name of the metric whose series it belongs to. */
  readonly name: string
  /** Labels of the series, sorted by name. */
  readonly labels: readonly Label[]
  /** Its own labels, sorted by name, e.g. `trace_id` and `span_id`. */
  readonly ownLabels: readonly Label[]
  /** Unix nanoseconds. */
  readonly timestampNs: bigint
  /** Any IEEE 754 double. */
  readonly value: number
}
