import { deserialize, serialize } from 'node:v8'
import type { Label } from '../../domain/metric-point.js'
import type { PromqlAnswer } from './promql-question.js'

/** One line of an answer: a value for each step, null where it has none. */
export interface GridLine {
  readonly labels: readonly Label[]
  readonly values: readonly (number | null)[]
}

interface Columns {
  readonly labels: readonly (readonly Label[])[]
  /** Steps of each line, one line after the other. */
  readonly values: Float64Array
  readonly present: Uint8Array
}

/** The lines of an answer as bytes, for this process alone: what JSON has no number for stays as it is. */
export function writeGrid({ value }: PromqlAnswer): Uint8Array<ArrayBuffer> {
  if (value.type !== 'vector') throw new TypeError('a grid has lines only')
  const steps = value.series[0]?.values.length ?? 0
  const values = new Float64Array(value.series.length * steps)
  const present = new Uint8Array(values.length)
  for (const [i, series] of value.series.entries()) {
    values.set(series.values, i * steps)
    present.set(series.present, i * steps)
  }
  const columns: Columns = { labels: value.series.map(({ labels }) => labels.labels), values, present }
  // A copy whose memory can be handed to another thread.
  return new Uint8Array(serialize(columns))
}

/** The lines of `writeGrid`. */
export function readGrid(bytes: Uint8Array): readonly GridLine[] {
  const { labels, values, present } = deserialize(bytes) as Columns
  const steps = labels.length === 0 ? 0 : values.length / labels.length
  return labels.map((set, line) => ({
    labels: set,
    values: Array.from({ length: steps }, (_, i) => (present[line * steps + i] === 1 ? values[line * steps + i]! : null))
  }))
}
