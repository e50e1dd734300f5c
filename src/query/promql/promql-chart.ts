import { GatewayError } from '../../domain/errors.js'
import type { Label } from '../../domain/metric-point.js'
import type { Namespace } from '../../domain/namespace.js'
import { resolveInstant } from '../../domain/time-range.js'
import type { Clock } from '../../ports/clock.js'
import type { Grid, WindowBounds } from '../answer.js'
import { metricGrid } from '../metric-grid.js'
import { HOUR_MS, readWindow } from '../read-window.js'
import type { QuerySettings } from '../settings.js'
import { queryTimeout } from '../timed-pages.js'
import { PromqlTimeout } from './evaluate/budget.js'
import { type GridAnswer, readGrid } from './grid-bytes.js'
import { NAME } from './labels.js'
import { PromqlBadQuery, PromqlExecutionError } from './promql-error.js'
import type { PromqlQuery } from './promql-query.js'
import type { PromqlQuestion } from './promql-question.js'
import { typeOf } from './syntax/check-types.js'

/** A query and where it is asked: over a window, or at one time (now, unless told). */
export interface PromqlChartQuery {
  readonly query: string
  readonly window?: WindowBounds | undefined
  readonly at?: unknown
  readonly step?: unknown
  readonly maxPoints?: number | undefined
}

/** A series of an answer; `metric` is null where the query made it lose its name. */
interface Named {
  readonly metric: string | null
  readonly labels: readonly Label[]
}

interface Facts {
  readonly complete: boolean
  readonly warnings: readonly string[]
  readonly tookMs: number
}

/** Lines over a grid, or the values of one time. */
export type PromqlChartAnswer = Facts &
  (
    | {
        readonly kind: 'lines'
        readonly grid: Grid
        readonly series: readonly (Named & { readonly values: readonly (number | null)[] })[]
      }
    | {
        readonly kind: 'samples'
        readonly samples: readonly (Named & { readonly timestampNs: bigint; readonly value: number })[]
      }
    | { readonly kind: 'number'; readonly timestampNs: bigint; readonly value: number }
  )

export interface PromqlChartDeps {
  readonly promql: Pick<PromqlQuery, 'answer' | 'parse'>
  readonly clock: Clock
  readonly settings: QuerySettings
}

const NS_PER_MS = 1_000_000n
/** Series of one answer, and values over all of them. */
const MAX_SERIES = 1_000
const MAX_VALUES = 1_000_000
const LEAST_STEP_MS = 1_000
const UNDRAWN = 'native histograms are left out: ask for a quantile, the count or the sum of them'

function namedOf(all: readonly Label[]): Named {
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
  async draw(ns: Namespace, asked: PromqlChartQuery, signal: AbortSignal): Promise<PromqlChartAnswer> {
    const { window, at } = asked
    if (window === undefined) return this.#atOneTime(ns, asked, signal)
    if (at === undefined || at === null) return this.#overWindow(ns, { ...asked, window }, signal)
    throw new GatewayError('invalid_field', 'a query is asked over a range or at a time, not both', { field: 'at' })
  }

  async #overWindow(
    ns: Namespace,
    { query, window, step, maxPoints }: PromqlChartQuery & { readonly window: WindowBounds },
    signal: AbortSignal
  ): Promise<PromqlChartAnswer> {
    const { clock, settings } = this.#deps
    const startedMs = clock.monotonicMs()
    const { asked, range, warnings } = readWindow(window, { namespace: ns, signal: 'metrics', nowNs: clock.nowNs() }, HOUR_MS)
    const isAligned = asked.unitDetected === 'relative' || asked.unitDetected === 'default'
    const fine = metricGrid(range, { step, maxPoints, leastMs: LEAST_STEP_MS, isAligned }, settings.maxPoints)
    const grid = { ...fine, startNs: fine.startNs - (fine.startNs % NS_PER_MS) }
    const steps = { startMs: Number(grid.startNs / NS_PER_MS), stepMs: Number(grid.stepNs / NS_PER_MS), count: grid.length }
    const answer = await this.#answer(ns, { query, steps, isRange: true }, signal)
    const series = answer.lines.map(({ labels, values }) => ({ ...namedOf(labels), values }))
    return { kind: 'lines', grid, series, ...this.#facts(answer, startedMs, warnings) }
  }

  async #atOneTime(ns: Namespace, { query, at }: PromqlChartQuery, signal: AbortSignal): Promise<PromqlChartAnswer> {
    const { clock, promql } = this.#deps
    const startedMs = clock.monotonicMs()
    const type = typeOf(this.#readable(() => promql.parse(query)))
    if (type === 'matrix' || type === 'string') {
      const detail = `a ${type === 'matrix' ? 'range vector' : 'text'} cannot be drawn: ask for a vector or a number`
      throw new GatewayError('query_unsupported', detail, { field: 'query' })
    }
    const startMs = Number(resolveInstant(at, clock.nowNs(), 'at') / NS_PER_MS)
    const answer = await this.#answer(ns, { query, steps: { startMs, stepMs: 1, count: 1 }, isRange: false }, signal)
    const facts = this.#facts(answer, startedMs, [])
    const timestampNs = BigInt(startMs) * NS_PER_MS
    const samples = answer.lines.flatMap(({ labels, values: [value] }) => {
      return value == null ? [] : [{ ...namedOf(labels), timestampNs, value }]
    })
    if (type === 'scalar') return { kind: 'number', timestampNs, value: samples[0]!.value, ...facts }
    return { kind: 'samples', samples, ...facts }
  }

  async #answer(ns: Namespace, question: PromqlQuestion, signal: AbortSignal): Promise<GridAnswer> {
    const limit = Math.min(MAX_SERIES, Math.floor(MAX_VALUES / question.steps.count))
    try {
      return readGrid(await this.#deps.promql.answer(ns, { ...question, limit, form: 'grid' }, signal))
    } catch (error) {
      throw this.#toGatewayError(error)
    }
  }

  #readable<T>(read: () => T): T {
    try {
      return read()
    } catch (error) {
      throw this.#toGatewayError(error)
    }
  }

  #toGatewayError(error: unknown): unknown {
    const about = { field: 'query', cause: error }
    if (error instanceof PromqlBadQuery) return new GatewayError('invalid_query', error.message, about)
    if (error instanceof PromqlExecutionError) return new GatewayError('query_unsupported', error.message, about)
    return error instanceof PromqlTimeout ? queryTimeout(this.#deps.settings.timeoutMs) : error
  }

  #facts({ isTruncated, hasHistograms, hasGaps, warnings }: GridAnswer, startedMs: number, own: readonly string[]): Facts {
    const cuts = [...own, ...(hasHistograms ? [UNDRAWN] : [])]
    return {
      complete: cuts.length === 0 && !isTruncated && !hasGaps,
      warnings: [...cuts, ...warnings],
      tookMs: this.#deps.clock.monotonicMs() - startedMs
    }
  }
}
