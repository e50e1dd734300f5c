import { GatewayError } from '../../domain/errors.js'
import type { Label } from '../../domain/metric-point.js'
import type { Namespace } from '../../domain/namespace.js'
import { resolveInstant } from '../../domain/time-range.js'
import type { Clock } from '../../ports/clock.js'
import type { Grid, WindowBounds } from '../result.js'
import { metricGrid } from '../metric-grid.js'
import { HOUR_MS, readWindow } from '../read-window.js'
import type { QuerySettings } from '../settings.js'
import { type GridResult, readGrid } from './grid-bytes.js'
import { NAME } from './labels.js'
import { promqlToGatewayError } from './to-gateway-error.js'
import type { PromqlQuery } from './promql-query.js'
import type { PromqlRequest } from './promql-request.js'
import { typeOf } from './syntax/check-types.js'
import type { Warning } from '../../domain/warning.js'

/** A query and its window, or its time (default: now). */
export interface PromqlChartQuery {
  readonly query: string
  readonly window?: WindowBounds | undefined
  readonly at?: unknown
  readonly step?: unknown
  readonly maxPoints?: number | undefined
}

/** A series of a result; `metric` is null where the query made it lose its name. */
interface SeriesName {
  readonly metric: string | null
  readonly labels: readonly Label[]
}

interface Facts {
  readonly complete: boolean
  readonly warnings: readonly Warning[]
  readonly tookMs: number
}

/** Lines over a grid, or the values of one time. */
export type PromqlChartResult = Facts &
  (
    | {
        readonly kind: 'lines'
        readonly grid: Grid
        readonly series: readonly (SeriesName & { readonly values: readonly (number | null)[] })[]
      }
    | {
        readonly kind: 'samples'
        readonly samples: readonly (SeriesName & { readonly timestampNs: bigint; readonly value: number })[]
      }
    | { readonly kind: 'number'; readonly timestampNs: bigint; readonly value: number }
  )

/** Dependencies of `PromqlChart`. */
export interface PromqlChartDeps {
  readonly promql: Pick<PromqlQuery, 'run' | 'parse'>
  readonly clock: Clock
  readonly settings: QuerySettings
}

const NS_PER_MS = 1_000_000n
/** Series of one result, and values over all of them. */
const MAX_SERIES = 1_000
const MAX_VALUES = 1_000_000
const LEAST_STEP_MS = 1_000
const UNDRAWN = 'native histograms are not drawn; use a quantile, the count or the sum'

function namedOf(all: readonly Label[]): SeriesName {
  const metric = all.find(({ name }) => name === NAME)?.value ?? null
  return { metric, labels: all.filter(({ name }) => name !== NAME) }
}

/** PromQL for those who draw: `promql` of GraphQL. The same evaluation as Prometheus's own API. */
export class PromqlChart {
  readonly #deps: PromqlChartDeps

  constructor(deps: PromqlChartDeps) {
    this.#deps = deps
  }

  /** Throws `invalid_field`, `invalid_query`, `invalid_time_range`, `query_unsupported`, `query_timeout`. */
  async draw(ns: Namespace, requested: PromqlChartQuery, signal: AbortSignal): Promise<PromqlChartResult> {
    const { window, at } = requested
    if (window === undefined) return this.#atOneTime(ns, requested, signal)
    if (at === undefined || at === null) return this.#overWindow(ns, { ...requested, window }, signal)
    throw new GatewayError('invalid_field', 'a query must have either a range or a time, not both', { field: 'at' })
  }

  async #overWindow(
    ns: Namespace,
    { query, window, step, maxPoints }: PromqlChartQuery & { readonly window: WindowBounds },
    signal: AbortSignal
  ): Promise<PromqlChartResult> {
    const { clock, settings } = this.#deps
    const startedMs = clock.monotonicMs()
    const { requested, range, warnings } = readWindow(window, { namespace: ns, signal: 'metrics', nowNs: clock.nowNs() }, HOUR_MS)
    const isAligned = requested.unitDetected === 'relative' || requested.unitDetected === 'default'
    const fine = metricGrid(range, { step, maxPoints, leastMs: LEAST_STEP_MS, isAligned }, settings.maxPoints)
    const grid = { ...fine, startNs: fine.startNs - (fine.startNs % NS_PER_MS) }
    const steps = { startMs: Number(grid.startNs / NS_PER_MS), stepMs: Number(grid.stepNs / NS_PER_MS), count: grid.length }
    const result = await this.#run(ns, { query, steps, isRange: true }, signal)
    const series = result.lines.map(({ labels, values }) => ({ ...namedOf(labels), values }))
    return { kind: 'lines', grid, series, ...this.#facts(result, startedMs, warnings) }
  }

  async #atOneTime(ns: Namespace, { query, at }: PromqlChartQuery, signal: AbortSignal): Promise<PromqlChartResult> {
    const { clock, promql } = this.#deps
    const startedMs = clock.monotonicMs()
    const type = typeOf(this.#readable(() => promql.parse(query)))
    if (type === 'matrix' || type === 'string') {
      const detail = `a ${type === 'matrix' ? 'range vector' : 'string'} cannot be drawn; use an instant vector or a scalar`
      throw new GatewayError('query_unsupported', detail, { field: 'query' })
    }
    const startMs = Number(resolveInstant(at, clock.nowNs(), 'at') / NS_PER_MS)
    const result = await this.#run(ns, { query, steps: { startMs, stepMs: 1, count: 1 }, isRange: false }, signal)
    const facts = this.#facts(result, startedMs, [])
    const timestampNs = BigInt(startMs) * NS_PER_MS
    const samples = result.lines.flatMap(({ labels, values: [value] }) => {
      return value == null ? [] : [{ ...namedOf(labels), timestampNs, value }]
    })
    if (type === 'scalar') return { kind: 'number', timestampNs, value: samples[0]!.value, ...facts }
    return { kind: 'samples', samples, ...facts }
  }

  async #run(ns: Namespace, request: PromqlRequest, signal: AbortSignal): Promise<GridResult> {
    const limit = Math.min(MAX_SERIES, Math.floor(MAX_VALUES / request.steps.count))
    try {
      return readGrid(await this.#deps.promql.run(ns, { ...request, limit, form: 'grid' }, signal))
    } catch (error) {
      throw promqlToGatewayError(error, this.#deps.settings.timeoutMs)
    }
  }

  #readable<T>(read: () => T): T {
    try {
      return read()
    } catch (error) {
      throw promqlToGatewayError(error, this.#deps.settings.timeoutMs)
    }
  }

  #facts({ isTruncated, hasHistograms, hasGaps, warnings }: GridResult, startedMs: number, own: readonly Warning[]): Facts {
    const cuts = [...own, ...(hasHistograms ? [UNDRAWN] : [])]
    return {
      complete: cuts.length === 0 && !isTruncated && !hasGaps,
      warnings: [...cuts, ...warnings],
      tookMs: this.#deps.clock.monotonicMs() - startedMs
    }
  }
}
