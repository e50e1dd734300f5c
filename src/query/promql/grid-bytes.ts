import { deserialize, serialize } from 'node:v8'
import type { Label } from '../../domain/metric-point.js'
import type { GridSeries } from './evaluate/values.js'
import { byLabels, NO_LABELS } from './labels.js'
import { resultTooLarge } from './promql-error.js'
import type { PromqlResult, PromqlRequest } from './promql-request.js'
import { TRUNCATED } from './result-json.js'
import type { Warning } from '../../domain/warning.js'

/** One line of a result: a value for each step, null where it has none. */
export interface GridLine {
  /** The metric's name among them, as `__name__`. */
  readonly labels: readonly Label[]
  readonly values: readonly (number | null)[]
}

/** Properties of a result besides its lines. */
interface GridFacts {
  /** Whether the query's limit left out lines; a warning reports it. */
  readonly isTruncated: boolean
  /** Whether there were native histograms: a line has null in their place. */
  readonly hasHistograms: boolean
  /** Whether the store knows that samples are missing; warnings name them. */
  readonly hasGaps: boolean
  readonly warnings: readonly Warning[]
}

/** A result as lines: those of a range by their labels, those of one time in the order of the query. */
export interface GridResult extends GridFacts {
  readonly lines: readonly GridLine[]
}

interface Columns extends GridFacts {
  readonly labels: readonly (readonly Label[])[]
  /** Steps of each line, one line after the other. */
  readonly values: Float64Array
  readonly present: Uint8Array
}

/** A number as large as a step's value, and whether it is there. */
const BYTES_PER_VALUE = 9
/** UTF-16, and the overhead of two strings. */
const BYTES_PER_CHARACTER = 2
const BYTES_PER_LABEL = 24

type Line = Pick<GridSeries, 'labels' | 'values' | 'present' | 'histograms'>

function linesOf({ value }: PromqlResult, isRange: boolean): readonly Line[] {
  switch (value.type) {
    case 'scalar': {
      const { values } = value
      return [{ labels: NO_LABELS, values, present: new Uint8Array(values.length).fill(1), histograms: undefined }]
    }
    case 'vector':
      return isRange ? [...value.series].sort(byLabels) : value.series
    default:
      throw new TypeError('a grid contains only series')
  }
}

function sizeOf({ labels, values }: Line): number {
  const ofLabel = (sum: number, { name, value }: Label): number =>
    sum + BYTES_PER_LABEL + (name.length + value.length) * BYTES_PER_CHARACTER
  return labels.labels.reduce(ofLabel, values.length * BYTES_PER_VALUE)
}

/**
 * The lines of a result as bytes, for this process alone: what JSON has no number for stays as it is.
 * Throws `PromqlExecutionError` when they would be more than `maxBytes`.
 */
export function writeGrid(
  { isRange, limit = Infinity, gaps = [] }: Pick<PromqlRequest, 'isRange' | 'limit' | 'gaps'>,
  result: PromqlResult,
  maxBytes: number
): Uint8Array<ArrayBuffer> {
  const all = linesOf(result, isRange)
  const lines = all.slice(0, limit)
  if (lines.reduce((sum, line) => sum + sizeOf(line), 0) > maxBytes) throw resultTooLarge(maxBytes)
  const steps = lines[0]?.values.length ?? 0
  const values = new Float64Array(lines.length * steps)
  const present = new Uint8Array(values.length)
  for (const [i, line] of lines.entries()) {
    values.set(line.values, i * steps)
    present.set(line.present, i * steps)
    line.histograms?.forEach((histogram, step) => {
      if (histogram !== undefined) present[i * steps + step] = 0
    })
  }
  const isTruncated = lines.length < all.length
  const columns: Columns = {
    labels: lines.map(({ labels }) => labels.labels),
    values,
    present,
    isTruncated,
    hasGaps: gaps.length > 0,
    hasHistograms: lines.some(({ histograms }) => histograms?.some(histogram => histogram !== undefined)),
    warnings: [...result.warnings, ...(isTruncated ? [TRUNCATED] : []), ...result.infos]
  }
  // A copy whose memory can be handed to another thread.
  return new Uint8Array(serialize(columns))
}

/** The result of `writeGrid`. */
export function readGrid(bytes: Uint8Array): GridResult {
  const { labels, values, present, ...facts } = deserialize(bytes) as Columns
  const steps = labels.length === 0 ? 0 : values.length / labels.length
  const lines = labels.map((set, line) => ({
    labels: set,
    values: valuesOf(values, present, line * steps, steps)
  }))
  return { lines, ...facts }
}

/** Many of them are read at once: a plain loop takes a third of the time. */
function valuesOf(values: Float64Array, present: Uint8Array, from: number, count: number): (number | null)[] {
  const found: (number | null)[] = []
  for (let i = from; i < from + count; i++) found.push(present[i] === 1 ? values[i]! : null)
  return found
}
