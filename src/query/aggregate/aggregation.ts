import type { AggregateRequest, AggregateResult, AggregateValues } from '../../domain/aggregate.js'
import { parseDurationNs } from '../../domain/duration.js'
import { GatewayError } from '../../domain/errors.js'
import type { Field, Filter } from '../../domain/filter.js'
import type { Namespace, RetainedSignal } from '../../domain/namespace.js'
import type { TimeRange } from '../../domain/time-range.js'
import { distinctWarnings } from '../../domain/warning.js'
import type { Clock } from '../../ports/clock.js'
import type { LogStore } from '../../ports/log-store.js'
import { boundedCount } from '../bounds.js'
import { emptyHints } from '../empty-hints.js'
import type { LargeReads } from '../large-reads.js'
import { HOUR_MS, readWindow, type ReadWindow } from '../read-window.js'
import type { Grid } from '../result.js'
import { gridOf, gridOfStep } from '../time-grid.js'
import type { AggregateQuery, AggregateReport } from './aggregate-query.js'
import { perSecond } from './per-second.js'
import { type MeasuredFields, parseGroupFields, type ParsedMeasures, parseMeasures } from './parse-measures.js'

/** How the records of one signal are selected and measured. */
export interface MeasuredRecords extends MeasuredFields {
  readonly signal: RetainedSignal
  readonly filterOf: (conditions: Pick<AggregateQuery, 'query' | 'filters'>) => Filter
}

/** The records of one signal. */
export interface AggregatedRecords extends MeasuredRecords {
  readonly aggregate: LogStore['aggregate']
}

const DEFAULT_GROUPS = 20
/** Groups of one response. */
export const MAX_GROUPS = 100
/** Buckets of time. */
export const MAX_AGGREGATE_BUCKETS = 1_000
/** Values over time of one response: groups, buckets and measures. */
export const MAX_AGGREGATE_VALUES = 50_000
const MS_NS = 1_000_000n

/** An aggregation for each signal. */
export type Aggregations = Readonly<Record<'logs' | 'spans', Aggregation>>

function stepOf(step: string): bigint {
  const ns = parseDurationNs(step)
  if (ns !== null && ns >= MS_NS && ns % MS_NS === 0n) return ns
  throw new GatewayError('invalid_field', 'step must be a duration of whole milliseconds, such as 1m', { field: 'step' })
}

function gridFor({ step, buckets }: AggregateQuery, range: TimeRange): Grid | null {
  if (step !== undefined && buckets !== undefined)
    throw new GatewayError('invalid_field', 'use step or buckets, not both', { field: 'step' })
  if (buckets !== undefined)
    return gridOf(range, boundedCount(buckets, 'buckets', { least: 1, most: MAX_AGGREGATE_BUCKETS, otherwise: 1 }))
  if (step === undefined) return null
  const grid = gridOfStep(range, stepOf(step))
  if (grid.length <= MAX_AGGREGATE_BUCKETS) return grid
  const detail = `the range has ${grid.length} buckets of ${step}, the limit is ${MAX_AGGREGATE_BUCKETS}; use a longer step`
  throw new GatewayError('invalid_field', detail, { field: 'step' })
}

function checkValues(groups: number, grid: Grid | null, measures: number): void {
  const values = groups * (grid?.length ?? 1) * measures
  if (values <= MAX_AGGREGATE_VALUES) return
  const detail = `the result may have ${values} values (groups, buckets and measures), the limit is ${MAX_AGGREGATE_VALUES}; use a longer step or a lower limit`
  throw new GatewayError('invalid_field', detail, { field: 'step' })
}

function measureNamed(orderBy: string | undefined, refs: readonly string[]): number {
  if (orderBy === undefined) return 0
  const at = refs.indexOf(orderBy)
  if (at >= 0) return at
  throw new GatewayError('invalid_field', 'order_by must be the ref of a measure', { field: 'order_by', suggestions: refs })
}

function isNothing({ values }: AggregateValues): boolean {
  return values.every(value => value === null || value === 0)
}

/** Whether JSON has no form for a value: sums of doubles may exceed them. */
function isTooLarge(value: number | null): boolean {
  return value !== null && !Number.isFinite(value)
}

function finiteValues<Values extends AggregateValues>(values: Values): Values {
  const finite = (all: readonly (number | null)[]) => all.map(value => (isTooLarge(value) ? null : value))
  return { ...values, values: finite(values.values), ...(values.series && { series: values.series.map(finite) }) }
}

function hasTooLarge({ values, series = [] }: AggregateValues): boolean {
  return [values, ...series].some(all => all.some(isTooLarge))
}

/** A request with what it means. */
interface Prepared extends ParsedMeasures {
  readonly request: AggregateRequest
  readonly window: ReadWindow
  readonly grid: Grid | null
  readonly fields: readonly Field[]
}

/** Computes measures of the records of one signal, by groups and over time. */
export class Aggregation {
  readonly #records: AggregatedRecords
  readonly #clock: Clock
  readonly #largeReads: LargeReads

  constructor(records: AggregatedRecords, deps: { readonly clock: Clock; readonly largeReads: LargeReads }) {
    this.#records = records
    this.#clock = deps.clock
    this.#largeReads = deps.largeReads
  }

  /**
   * Throws `invalid_field`, `invalid_query`, `invalid_time_range`, `unsupported_by_store` for what the store cannot compute, and
   * `overloaded` when too many large reads of the namespace are queued.
   */
  async aggregate(ns: Namespace, query: AggregateQuery, signal: AbortSignal): Promise<AggregateReport> {
    const startedMs = this.#clock.monotonicMs()
    const prepared = this.#prepare(ns, query)
    await this.#largeReads.enter(ns.id, 0, signal)
    const found = await this.#records.aggregate(ns.id, prepared.request, signal)
    return this.#report(prepared, found, startedMs)
  }

  #prepare(ns: Namespace, query: AggregateQuery): Prepared {
    const { filterOf, signal } = this.#records
    const { measures, refs, areRates } = parseMeasures(query.measures, this.#records)
    const groupBy = parseGroupFields(query.groupBy, this.#records)
    const limit = boundedCount(query.limit, 'limit', { least: 1, most: MAX_GROUPS, otherwise: DEFAULT_GROUPS })
    const filter = filterOf(query)
    const window = readWindow(query, { namespace: ns, signal, nowNs: this.#clock.nowNs() }, HOUR_MS)
    const grid = gridFor(query, window.range)
    const other = groupBy.length > 0 && query.includeOther === true
    checkValues((groupBy.length === 0 ? 1 : limit) + Number(other), grid, measures.length)
    const request: AggregateRequest = {
      ...{ range: window.range, filter, groupBy, measures, limit, other },
      ...(grid && { grid: { startNs: grid.startNs, stepNs: grid.stepNs, count: grid.length } }),
      rankBy: { measure: measureNamed(query.orderBy, refs), order: query.order ?? 'desc' },
      exact: query.exact ?? true
    }
    const fields = [...groupBy, ...measures.flatMap(measure => measure.field ?? [])]
    return { request, window, grid, fields, measures, refs, areRates }
  }

  #report(
    { request, window, grid, fields, refs, areRates }: Prepared,
    found: AggregateResult,
    startedMs: number
  ): AggregateReport {
    const { filter, limit } = request
    const all = [...found.rows, ...(found.other ? [found.other] : [])]
    const { vocabulary } = this.#records
    const hints = all.every(isNothing) ? emptyHints({ filter, vocabulary, window: window.requested, fields }) : []
    const tooLarge = all.some(hasTooLarge) ? ['values beyond the range of doubles are null'] : []
    const time = { range: window.range, grid }
    const shown = <Values extends AggregateValues>(values: Values): Values => finiteValues(perSecond(values, areRates, time))
    return {
      rows: found.rows.map(shown),
      other: found.other && shown(found.other),
      ...{ groups: found.groups, relativeError: found.relativeError, refs, grid, limit },
      hasMore: found.groups.value > found.rows.length,
      window: window.requested,
      complete: window.warnings.length === 0 && found.complete,
      warnings: distinctWarnings([...window.warnings, ...found.warnings, ...tooLarge, ...hints]),
      tookMs: this.#clock.monotonicMs() - startedMs
    }
  }
}
