import type { CorrelatedSeriesType, CorrelationLinkType, CorrelationType } from '../schema/correlation.type.js'
import type { WindowBounds } from '../src/query/result.js'
import { type MetricCorrelationResult, viaOf } from '../src/query/correlation/correlation-result.js'
import { toSeries } from './to-metric.js'
import { toGrid, toStats, toWindow } from './to-shared.js'

type Known = 'service' | 'host'

/** What was found from an anchor. */
export class CorrelationSource implements CorrelationType {
  readonly found
  readonly traceId
  readonly window
  readonly via: CorrelationLinkType | null
  readonly links: readonly CorrelationLinkType[]
  readonly verdict
  readonly tested
  /** Surest first. */
  readonly series: readonly CorrelatedSeriesType[]
  /** Of the trace: only logs of this span are requested. */
  readonly spanId: string | null
  readonly missing
  readonly stats

  constructor(result: MetricCorrelationResult, spanId: string | null) {
    this.spanId = spanId
    this.found = result.anchor.found
    this.traceId = result.anchor.traceId
    this.window = toWindow(result.window)
    this.via = viaOf(result.anchor)
    this.links = result.links
    this.verdict = result.verdict
    this.tested = result.tested
    this.series = result.series.map(({ metric, labels, values, link, change, q, reason }) => ({
      series: toSeries({ ref: null, metric, labels, values }),
      grid: toGrid(result.grid),
      ...{ link, effect: change.effect, score: change.shift, q, reason }
    }))
    this.missing = result.missing.map(end => ({ ...end, signal: end.signal === 'traces' ? ('spans' as const) : end.signal }))
    this.stats = toStats(result, 'metrics')
  }

  /** The window for what has no id to be found by. */
  get bounds(): WindowBounds {
    return { start: String(this.window.from), end: String(this.window.to) }
  }

  /** The service or host to look for; null when a trace id does better, or nothing is known. */
  get origin(): { readonly [name in Known]?: string } | null {
    const basis = this.via?.basis
    return basis === 'service' || basis === 'host' ? { [basis]: this.via!.value } : null
  }
}
