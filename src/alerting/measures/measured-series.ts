import type { AggregateRequest, AggregateResult, AggregateValues, Measure } from '../../domain/aggregate.js'
import type { Field } from '../../domain/filter.js'
import type { Label } from '../../domain/metric-point.js'
import type { SavedMeasure } from '../../domain/saved-measure.js'
import type { RecordedSample } from '../schedule/recording.js'
import { labelOf, OVERFLOW_LABEL, type ReadMeasure } from './parse-measure.js'

/** Bytes of the value of a label, see "Limits" in docs/conventions.md. A group with a longer one has no series of its own. */
const MAX_LABEL_BYTES = 1_024
const OVERFLOW: readonly Label[] = [{ name: OVERFLOW_LABEL, value: 'true' }]
const NO_BOUND = '+Inf'

/** A series of each group, and what it is computed by. */
export interface SeriesPart {
  readonly name: string
  readonly labels: readonly Label[]
  readonly measure: Measure
  /** How values of several groups become one; those that are added are 0 where no record is. */
  readonly combine: 'add' | 'min' | 'max'
}

function part(name: string, measure: Measure, combine: SeriesPart['combine'] = 'add'): SeriesPart {
  return { name, labels: [], measure, combine }
}

function buckets({ name, bounds }: SavedMeasure, field: Field): readonly SeriesPart[] {
  const bucket = (le: string, measure: Measure): SeriesPart => ({
    ...part(`${name}_bucket`, measure),
    labels: [{ name: 'le', value: le }]
  })
  const bounded = bounds.map(atMost => bucket(String(atMost), { kind: 'numbers', field, atMost }))
  return [...bounded, bucket(NO_BOUND, { kind: 'numbers', field })]
}

/** The series of each group of a measure. */
export function seriesParts(measure: SavedMeasure, { field }: ReadMeasure): readonly SeriesPart[] {
  const { name, fn } = measure
  if (field === null || fn === 'count') return [part(name, { kind: 'count', ...(field && { field }) })]
  const sumAndCount = [part(`${name}_sum`, { kind: 'sum', field }), part(`${name}_count`, { kind: 'numbers', field })]
  if (fn === 'avg') return sumAndCount
  if (fn === 'histogram') return [...buckets(measure, field), ...sumAndCount]
  return [part(name, { kind: fn, field }, fn === 'sum' ? 'add' : fn)]
}

/** The measures of a request: the number of records, by which groups are ranked and known to be there, and those of the parts. */
export function requestedMeasures(parts: readonly SeriesPart[]): Pick<AggregateRequest, 'measures' | 'rankBy'> {
  return { measures: [{ kind: 'count' }, ...parts.map(({ measure }) => measure)], rankBy: { measure: 0, order: 'desc' } }
}

/** A group with the values of its parts in each step; null where no record is. */
interface GroupSteps {
  readonly labels: readonly Label[]
  readonly steps: readonly (readonly (number | null)[] | null)[]
}

function stepsOf({ series }: AggregateValues): GroupSteps['steps'] {
  const [rows, ...values] = series!
  return rows!.map((count, step) => (count === 0 ? null : values.map(each => each[step]!)))
}

function labelsOf(key: readonly (string | null)[], fields: readonly Field[]): readonly Label[] {
  const isTooLong = key.some(value => value !== null && Buffer.byteLength(value) > MAX_LABEL_BYTES)
  if (isTooLong) return OVERFLOW
  return fields.flatMap((field, i) => (key[i] === null ? [] : [{ name: labelOf(field), value: key[i]! }]))
}

function combined(a: number | null, b: number | null, { combine }: SeriesPart): number | null {
  if (a === null || b === null) return a ?? b
  return combine === 'add' ? a + b : Math[combine](a, b)
}

/** The groups of a result; those without series of their own as one. */
function groupsOf(
  { rows, other }: AggregateResult,
  fields: readonly Field[],
  parts: readonly SeriesPart[]
): readonly GroupSteps[] {
  const all = rows.map(row => ({ labels: labelsOf(row.key, fields), steps: stepsOf(row) }))
  const others = [
    ...all.filter(({ labels }) => labels === OVERFLOW),
    ...(other ? [{ labels: OVERFLOW, steps: stepsOf(other) }] : [])
  ]
  const own = all.filter(({ labels }) => labels !== OVERFLOW)
  if (others.length === 0) return own
  const joined = others.reduce((a, b) => ({
    ...a,
    steps: a.steps.map((values, step) => {
      const more = b.steps[step]!
      if (values === null || more === null) return values ?? more
      return values.map((value, i) => combined(value, more[i]!, parts[i]!))
    })
  }))
  return [...own, joined]
}

/** What was aggregated: steps to write, after `before` steps that only show which groups there were. */
export interface AggregatedSteps {
  readonly result: AggregateResult
  readonly parts: readonly SeriesPart[]
  readonly groupBy: readonly Field[]
  /** Start of the first step to write, Unix milliseconds. */
  readonly fromMs: number
  readonly stepMs: number
  readonly before: number
}

/** The samples of a group at the end of a step. */
function samplesOf(
  labels: readonly Label[],
  values: GroupSteps['steps'][number],
  parts: readonly SeriesPart[],
  atMs: number
): readonly RecordedSample[] {
  return parts.flatMap(({ name, labels: own, combine }, i) => {
    const value = values?.[i] ?? (combine === 'add' ? 0 : null)
    return value === null ? [] : [{ name, labels: [...labels, ...own], value, atMs }]
  })
}

/**
 * The samples of steps, each at the end of its step: of groups with a record in the step, and zeros of what is added up for
 * groups that had one in the steps before. Without fields to group by, all steps have a sample.
 */
export function measuredSamples(aggregated: AggregatedSteps): readonly RecordedSample[] {
  const { result, parts, groupBy, fromMs, stepMs, before } = aggregated
  const samples: RecordedSample[] = []
  for (const { labels, steps } of groupsOf(result, groupBy, parts)) {
    for (let step = before; step < steps.length; step++) {
      const isExpected = groupBy.length === 0 || steps.slice(step - before, step).some(each => each !== null)
      if (steps[step] === null && !isExpected) continue
      samples.push(...samplesOf(labels, steps[step]!, parts, fromMs + (step - before + 1) * stepMs))
    }
  }
  return samples
}
