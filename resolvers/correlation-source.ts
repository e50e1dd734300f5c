import type { CorrelationLinkType, CorrelationType } from '../schema/correlation.type.js'
import type { WindowBounds } from '../src/query/answer.js'
import type { Link, MetricCorrelationAnswer } from '../src/query/correlation/correlation-answer.js'
import { toSeries } from './to-metric.js'
import { toGrid, toStats, toWindow } from './to-shared.js'

type Known = 'service' | 'host'

/** The same trace is surest; else the same service, else the same host. */
function viaOf({ anchor }: MetricCorrelationAnswer): Link | null {
  if (anchor.traceId !== null) return { basis: 'trace_id', value: anchor.traceId, confidence: 'certain' }
  return anchor.links.find(({ basis }) => basis === 'service') ?? anchor.links.find(({ basis }) => basis === 'host') ?? null
}

/** What was found from an anchor. */
export class CorrelationSource implements CorrelationType {
  readonly found
  readonly traceId
  readonly window
  readonly via: CorrelationLinkType | null
  readonly links: readonly CorrelationLinkType[]
  readonly verdict
  readonly tested
  readonly metrics
  readonly missing
  readonly stats

  constructor(answer: MetricCorrelationAnswer) {
    this.found = answer.anchor.found
    this.traceId = answer.anchor.traceId
    this.window = toWindow(answer.window)
    this.via = viaOf(answer)
    this.links = answer.links
    this.verdict = answer.verdict
    this.tested = answer.tested
    this.metrics = answer.series.map(({ metric, labels, values, link, change, q, reason }) => ({
      series: toSeries({ ref: null, metric, labels, values }),
      grid: toGrid(answer.grid),
      ...{ link, effect: change.effect, score: change.shift, q, reason }
    }))
    this.missing = answer.missing.map(end => ({ ...end, signal: end.signal === 'traces' ? ('spans' as const) : end.signal }))
    this.stats = toStats(answer)
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
