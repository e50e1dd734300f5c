import type { AggregateRequest, AggregateResult } from '../../domain/aggregate.js'
import { GatewayError } from '../../domain/errors.js'
import type { SavedMeasure } from '../../domain/saved-measure.js'
import { type Cut, warningSentence } from '../../domain/warning.js'
import type { LogStore } from '../../ports/log-store.js'
import type { RecordedSample } from '../schedule/recording.js'
import type { DueSteps } from './measure-schedule.js'
import { measuredSamples, requestedMeasures, type SeriesPart, seriesParts } from './measured-series.js'
import { type ReadMeasure, readMeasure } from './parse-measure.js'

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
}

/** Computes measures of the records of each signal. */
export type AggregateRecords = Readonly<Record<SavedMeasure['signal'], LogStore['aggregate']>>

interface Reading {
  readonly measure: SavedMeasure
  readonly read: ReadMeasure
  readonly parts: readonly SeriesPart[]
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

/**
 * Computes the samples of steps out of the records as they are stored. The samples of a step depend on the records of the step and
 * of five minutes before it alone, however many steps are read at once: computing them again replaces them.
 */
export class MeasureReader {
  readonly #aggregate: AggregateRecords

  constructor(aggregate: AggregateRecords) {
    this.#aggregate = aggregate
  }

  /** Rejects with errors of the store; with `store_unavailable` while records of the range wait for it. */
  read(measure: SavedMeasure, range: StepRange, signal: AbortSignal): Promise<MeasuredSteps> {
    const read = readMeasure(measure)
    return this.#range({ measure, read, parts: seriesParts(measure, read), signal }, range)
  }

  async #range(reading: Reading, range: StepRange): Promise<MeasuredSteps> {
    const { stepMs } = reading.measure
    const steps = (range.toMs - range.fromMs) / stepMs
    if (steps === 0) return { samples: [], incomplete: null }
    const before = Math.ceil(ZEROS_MS / stepMs)
    const result = await this.#read(reading, { fromMs: range.fromMs - before * stepMs, toMs: range.toMs }, false)
    if (!hasMore(result)) return this.#measured(reading, range, { result, before })
    if (steps === 1) return this.#overflowing(reading, range)
    const middleMs = range.fromMs + Math.floor(steps / 2) * stepMs
    const first = await this.#range(reading, { ...range, toMs: middleMs })
    const second = await this.#range(reading, { ...range, fromMs: middleMs })
    return { samples: [...first.samples, ...second.samples], incomplete: second.incomplete ?? first.incomplete }
  }

  /** A step with more groups than have series, in itself or with those before it. */
  async #overflowing(reading: Reading, range: StepRange): Promise<MeasuredSteps> {
    const result = await this.#read(reading, range, true)
    const { samples, incomplete } = this.#measured(reading, range, { result, before: 0 })
    const detail = `more than ${MAX_MEASURE_GROUPS} groups: the others are counted together, with overflow="true"`
    return { samples, incomplete: hasMore(result) ? { atMs: range.fromMs, detail } : incomplete }
  }

  #measured(
    { measure, read, parts }: Reading,
    { fromMs, toMs }: StepRange,
    { result, before }: { readonly result: AggregateResult; readonly before: number }
  ): MeasuredSteps {
    const { stepMs } = measure
    const samples = measuredSamples({ result, parts, groupBy: read.groupBy, fromMs, stepMs, before })
    const cut = result.complete ? undefined : cutsOf(result)[0]
    return { samples, incomplete: cut ? { atMs: toMs - stepMs, detail: warningSentence(cut) } : null }
  }

  async #read(reading: Reading, range: StepRange, other: boolean): Promise<AggregateResult> {
    const { measure, signal } = reading
    const result = await this.#aggregate[measure.signal](measure.namespaceId, requestOf(reading, range, other), signal)
    requireAll(result)
    return result
  }
}
