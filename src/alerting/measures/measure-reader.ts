import type { AggregateRequest, AggregateResult } from '../../domain/aggregate.js'
import { GatewayError, isGatewayError } from '../../domain/errors.js'
import type { SavedMeasure } from '../../domain/saved-measure.js'
import { type Cut, warningSentence } from '../../domain/warning.js'
import type { LogStore } from '../../ports/log-store.js'
import type { MetricStore } from '../../ports/metric-store.js'
import type { RecordedSample } from '../schedule/recording.js'
import type { DueSteps } from './measure-schedule.js'
import { measuredSamples, requestedMeasures, type SeriesPart, seriesParts } from './measured-series.js'
import { type ReadMeasure, readMeasure } from './parse-measure.js'
import { writtenSamples, zerosOfReplaced } from './replaced-series.js'

/** Groups of one step that have series of their own. */
export const MAX_MEASURE_GROUPS = 100
/** A group without records has zeros for so long: as long as PromQL looks back for a sample. */
const ZEROS_MS = 300_000
const MS_NS = 1_000_000n

/** Samples of a range of steps. */
export interface MeasuredSteps {
  readonly samples: readonly RecordedSample[]
  /** What they lack, and in which step last; null when nothing. */
  readonly incomplete: SavedMeasure['incomplete']
  /** Why the last step without samples has none: no repetition computes it. Null when all are computed. */
  readonly error: GatewayError | null
}

/** Computes measures of the records of each signal. */
export type AggregateRecords = Readonly<Record<SavedMeasure['signal'], LogStore['aggregate']>>

interface Reading {
  readonly measure: SavedMeasure
  readonly read: ReadMeasure
  readonly parts: readonly SeriesPart[]
  /** Steps before those to write, which show which groups have zeros. */
  readonly before: number
  /** What is computed already, which is not written yet. */
  readonly done: RecordedSample[]
  readonly signal: AbortSignal
}

type StepRange = Pick<DueSteps, 'fromMs' | 'toMs'>

function cutsOf({ warnings }: AggregateResult): readonly Cut[] {
  return warnings.filter((warning): warning is Cut => typeof warning !== 'string')
}

/** Records that wait for the store are counted when they are there. */
function requireAll(result: AggregateResult): void {
  const waiting = cutsOf(result).find(({ kind }) => kind === 'spooled')
  if (waiting) throw new GatewayError('store_unavailable', waiting.detail)
}

function requestOf({ measure, read, parts }: Reading, { fromMs, toMs }: StepRange, other: boolean): AggregateRequest {
  const stepNs = BigInt(measure.stepMs) * MS_NS
  const range = { startNs: BigInt(fromMs) * MS_NS, endNs: BigInt(toMs) * MS_NS }
  return {
    ...{ range, filter: read.filter, groupBy: read.groupBy, limit: MAX_MEASURE_GROUPS, other, exact: true },
    ...requestedMeasures(parts),
    grid: { startNs: range.startNs, stepNs, count: (toMs - fromMs) / measure.stepMs }
  }
}

function hasMore({ groups, rows }: AggregateResult): boolean {
  return groups.relation === 'gte' || groups.value > rows.length
}

/** Steps before others that their samples depend on. Only groups have zeros, and only of what is added up. */
function stepsBefore({ stepMs, groupBy }: SavedMeasure, parts: readonly SeriesPart[]): number {
  const hasZeros = groupBy.length > 0 && parts.some(({ combine }) => combine === 'add')
  return hasZeros ? Math.ceil(ZEROS_MS / stepMs) : 0
}

/** The samples that are numbers, and the last step that has others. */
function finite(samples: readonly RecordedSample[], stepMs: number): Pick<MeasuredSteps, 'samples' | 'incomplete'> {
  const last = samples.findLast(({ value }) => !Number.isFinite(value))
  if (last === undefined) return { samples, incomplete: null }
  const incomplete = { atMs: last.atMs - stepMs, detail: 'a sum exceeds the range of numbers: it has no sample' }
  return { samples: samples.filter(({ value }) => Number.isFinite(value)), incomplete }
}

/**
 * Computes the samples of steps out of the records as they are stored. The samples of a step depend on the records of the step and
 * of five minutes before it alone, however many steps are read at once: computing them again replaces them. Where these are too
 * many groups, or cannot be read, the zeros of a step depend on the samples of the five minutes instead.
 */
export class MeasureReader {
  readonly #aggregate: AggregateRecords
  readonly #metrics: Pick<MetricStore, 'select'>

  constructor(aggregate: AggregateRecords, metrics: Pick<MetricStore, 'select'>) {
    this.#aggregate = aggregate
    this.#metrics = metrics
  }

  /**
   * A step that no repetition reads has no samples, and `error`. Rejects with other errors of the store; with `store_unavailable`
   * while records of the range wait for it.
   */
  read(measure: SavedMeasure, range: StepRange, signal: AbortSignal): Promise<MeasuredSteps> {
    const read = readMeasure(measure)
    const parts = seriesParts(measure, read)
    return this.#range({ measure, read, parts, before: stepsBefore(measure, parts), done: [], signal }, range)
  }

  async #range(reading: Reading, range: StepRange): Promise<MeasuredSteps> {
    const { before, done, measure } = reading
    const { stepMs } = measure
    const steps = (range.toMs - range.fromMs) / stepMs
    if (steps === 0) return { samples: [], incomplete: null, error: null }
    const result = await this.#read(reading, { fromMs: range.fromMs - before * stepMs, toMs: range.toMs }, false)
    if (!isGatewayError(result) && !hasMore(result)) {
      const measured = this.#measured(reading, range, { result, before })
      done.push(...measured.samples)
      return measured
    }
    if (steps === 1) return this.#alone(reading, range)
    const middleMs = range.fromMs + Math.floor(steps / 2) * stepMs
    const first = await this.#range(reading, { ...range, toMs: middleMs })
    const second = await this.#range(reading, { ...range, fromMs: middleMs })
    return {
      samples: [...first.samples, ...second.samples],
      incomplete: second.incomplete ?? first.incomplete,
      error: second.error ?? first.error
    }
  }

  /** A step with more groups than have series, or that cannot be read, in itself or with those before it. */
  async #alone(reading: Reading, range: StepRange): Promise<MeasuredSteps> {
    const result = await this.#read(reading, range, true)
    const atMs = range.fromMs
    if (isGatewayError(result))
      return { samples: [], incomplete: { atMs, detail: `not computed: ${result.message}` }, error: result }
    const measured = this.#measured(reading, range, { result, before: 0 })
    const zeros = reading.before === 0 ? [] : await this.#zeros(reading, range.toMs, measured.samples)
    const samples = [...measured.samples, ...(zeros ?? [])]
    reading.done.push(...samples)
    const overflow = `more than ${MAX_MEASURE_GROUPS} groups: the others are counted together, with overflow="true"`
    const detail = zeros === null ? 'too many series to write zeros for groups that ended' : hasMore(result) ? overflow : null
    return { ...measured, samples, incomplete: detail === null ? measured.incomplete : { atMs, detail } }
  }

  /** Null when the series of the measure are too many to be read. */
  async #zeros(
    { measure, done, signal }: Reading,
    atMs: number,
    samples: readonly RecordedSample[]
  ): Promise<readonly RecordedSample[] | null> {
    const written = await writtenSamples(this.#metrics, { measure, atMs, lookBackMs: ZEROS_MS }, signal)
    if (written === null) return null
    const recent = done.filter(sample => sample.atMs > atMs - ZEROS_MS)
    return zerosOfReplaced([...written, ...recent], samples, atMs)
  }

  #measured(
    { measure, read, parts }: Reading,
    { fromMs, toMs }: StepRange,
    { result, before }: { readonly result: AggregateResult; readonly before: number }
  ): MeasuredSteps {
    const { stepMs } = measure
    const computed = measuredSamples({ result, parts, groupBy: read.groupBy, fromMs, stepMs, before })
    const { samples, incomplete } = finite(computed, stepMs)
    const cut = result.complete ? undefined : cutsOf(result)[0]
    const ofCut = cut ? { atMs: toMs - stepMs, detail: warningSentence(cut) } : null
    return { samples, incomplete: ofCut ?? incomplete, error: null }
  }

  /** Resolves with the refusal of what cannot be read: some record is in too many groups. */
  async #read(reading: Reading, range: StepRange, other: boolean): Promise<AggregateResult | GatewayError> {
    const { measure, signal } = reading
    try {
      const result = await this.#aggregate[measure.signal](measure.namespaceId, requestOf(reading, range, other), signal)
      requireAll(result)
      return result
    } catch (error) {
      if (isGatewayError(error) && error.code === 'query_unsupported') return error
      throw error
    }
  }
}
