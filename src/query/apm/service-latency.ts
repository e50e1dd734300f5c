import type { Filter } from '../../domain/filter.js'
import type { Namespace } from '../../domain/namespace.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { Grid } from '../result.js'
import { emptyLatency, latencyBounds, latencySeries, type LatencySeries } from './latency-series.js'
import type { CountedService, ServiceCounts } from './service-counts.js'
import type { Warning } from '../../domain/warning.js'

/** Percentiles over time of the services of a window. */
export interface Latencies {
  readonly of: (service: string) => LatencySeries
  readonly complete: boolean
  readonly warnings: readonly Warning[]
}

/** Measures percentiles over time from counts by duration, which are the same on all engines. */
export class ServiceLatency {
  readonly #counts: ServiceCounts

  constructor(counts: ServiceCounts) {
    this.#counts = counts
  }

  async measure(
    ns: Namespace,
    {
      services,
      range,
      filter,
      grid
    }: {
      readonly services: readonly CountedService[]
      readonly range: TimeRange
      readonly filter: Filter
      readonly grid: Grid
    },
    signal: AbortSignal
  ): Promise<Latencies> {
    const boundsNs = latencyBounds(grid.length)
    const parts = { boundsNs, grid: { ...grid, count: grid.length, buckets: true } }
    const { rows, ...facts } = await this.#counts.again(ns, services, { range, filter, parts }, signal)
    const of = (service: string): LatencySeries => {
      const counted = rows.get(service)?.grid
      return counted ? latencySeries(counted, boundsNs) : emptyLatency(grid.length)
    }
    return { of, ...facts }
  }
}
