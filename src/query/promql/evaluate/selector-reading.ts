import { staleTest } from '../../../domain/stale-marker.js'
import { NAME } from '../labels.js'
import type { MatrixSelector, VectorSelector } from '../syntax/ast.js'
import type { EvaluationContext, RangeInput } from './evaluation-context.js'
import { withoutStale } from './raw-series.js'
import { smoothedSamples } from './smoothed-samples.js'
import { fixedTime, shiftedTime } from './step-times.js'
import { type GridSeries, type RawSeries, type Steps, withValues } from './values.js'
import { latestSamples, type Ranges } from './windows.js'
import { groupedBy } from '../../../domain/grouped-by.js'

interface Samples {
  readonly times: Float64Array
  readonly values: Float64Array
}

/** The samples of both by time; of one time those of `a` come first. */
function merged(a: Samples, b: Samples): Samples {
  const length = a.times.length + b.times.length
  const [times, values] = [new Float64Array(length), new Float64Array(length)]
  let [i, j] = [0, 0]
  for (let at = 0; at < length; at++) {
    const isFirst = j >= b.times.length || (i < a.times.length && a.times[i]! <= b.times[j]!)
    const [from, place] = isFirst ? [a, i++] : [b, j++]
    times[at] = from.times[place]!
    values[at] = from.values[place]!
  }
  return { times, values }
}

/** All samples in the order of time; of equal times in the order of the series. */
function mergeAll(all: readonly Samples[]): Samples {
  let parts = all
  while (parts.length > 1) {
    const next: Samples[] = []
    for (let i = 0; i < parts.length; i += 2) next.push(i + 1 < parts.length ? merged(parts[i]!, parts[i + 1]!) : parts[i]!)
    parts = next
  }
  return parts[0]!
}

/** Series of numbers as one for each group of these labels, with the samples of all its members. */
export function poolSeries(series: readonly RawSeries[], by: readonly string[]): readonly RawSeries[] {
  const groups = groupedBy(series, ({ labels }) => labels.only(by).key)
  return Array.from(groups.values(), members => {
    return { ...mergeAll(members), labels: members[0]!.labels.only(by), histograms: undefined }
  })
}

/** What selectors give over a grid of steps, out of the samples that were read for them. */
export class SelectorReading {
  readonly #context: EvaluationContext
  readonly #steps: Steps

  constructor(context: EvaluationContext, steps: Steps) {
    this.#context = context
    this.#steps = steps
  }

  /** The samples that were read for a selector. */
  samples(selector: VectorSelector): readonly RawSeries[] {
    return this.#context.samples.get(selector) ?? []
  }

  /** The newest samples that a selector finds; of a smoothed one values between the samples on either side. */
  vector(selector: VectorSelector): readonly GridSeries[] {
    return selector.extension === 'smoothed' ? this.#smoothed(selector) : this.#latest(selector, raw => raw)
  }

  /** As `vector`, with the times of the samples, in seconds, for values. */
  times(selector: VectorSelector): readonly GridSeries[] {
    return this.#latest(selector, timesOf)
  }

  /** The samples of a range, without the marks of ended series. */
  range({ selector, rangeMs, pooledBy, within }: MatrixSelector): RangeInput {
    const series = this.samples(selector).map(withoutStale)
    const endOf = this.#timeOf(selector)
    const ranges = { rangeMs, endOf, ...(within !== undefined && { within }), ...this.#extension(selector) }
    return { series: pooledBy === undefined ? series : poolSeries(series, pooledBy), ranges }
  }

  /** The time at which a selector looks, for each step. */
  #timeOf({ at, offsetMs }: VectorSelector): (step: number) => number {
    return shiftedTime(this.#steps, fixedTime(at, this.#context.query), offsetMs)
  }

  /** The series of a selector, their values counted before they are made. */
  #counted(selector: VectorSelector): readonly RawSeries[] {
    const found = this.samples(selector)
    this.#context.budget.take(found.length * this.#steps.count)
    return found
  }

  /** `samplesOf` turns each series into the samples of which the newest is selected. */
  #latest(selector: VectorSelector, samplesOf: (raw: RawSeries) => RawSeries): readonly GridSeries[] {
    const { lookbackMs } = this.#context
    const timeAt = this.#timeOf(selector)
    return withValues(
      this.#counted(selector).map(raw => latestSamples(samplesOf(raw), this.#steps, lookbackMs, staleTest(raw.values), timeAt))
    )
  }

  #smoothed(selector: VectorSelector): readonly GridSeries[] {
    const { lookbackMs, notes, budget } = this.#context
    const look = { steps: this.#steps, lookbackMs, timeAt: this.#timeOf(selector), budget }
    return withValues(
      this.#counted(selector).map(raw => {
        const report = { name: raw.labels.get(NAME), notes, position: selector.position }
        return smoothedSamples(withoutStale(raw), { ...look, report })
      })
    )
  }

  /** What an extended range sees next to its windows. */
  #extension({ extension }: VectorSelector): Pick<Ranges, 'extension' | 'beforeMs' | 'afterMs'> {
    const { lookbackMs } = this.#context
    if (extension === undefined) return {}
    return { extension, beforeMs: lookbackMs, afterMs: extension === 'smoothed' ? lookbackMs : 0 }
  }
}

function timesOf(raw: RawSeries): RawSeries {
  return { ...raw, values: raw.times.map(ms => ms / 1_000), histograms: undefined }
}
