import type { NamespaceId } from '../../domain/ids.js'
import type { MetricPoint } from '../../domain/metric-point.js'
import type { AppendResult, Batch } from '../../ports/append.js'
import type { MetricStore } from '../../ports/metric-store.js'
import type { SeriesIds } from './client/series-ids.js'
import type { StoreClient } from './client/store-client.js'
import { gapSentences } from './gaps.js'
import type { SeriesRequest } from '../metrics/metric-catalog.js'
import type { PointsAppend } from './wire/calls.js'
import { UnknownSeries } from './wire/errors.js'
import { isNamed } from './wire/packed-append.js'
import { type PackedSamples, unpackSamples } from './wire/packed-samples.js'
import { POINTS_AT_ONCE, pointsAppend, pointsAppendInSlices } from './wire/points.js'

/** Appends points, whose series the store process knows by ids that it returned before. */
class PointWriter {
  readonly #client: StoreClient
  readonly #ids: SeriesIds

  constructor(client: StoreClient, ids: SeriesIds) {
    this.#client = client
    this.#ids = ids
  }

  async append(ns: NamespaceId, batch: Batch<MetricPoint>): Promise<AppendResult> {
    try {
      return await this.#append(await frameOf(ns, batch, this.#ids.of(ns)))
    } catch (error) {
      if (!(error instanceof UnknownSeries)) throw error
      // Deleted since, for example by retention: the store creates them again.
      this.#ids.forget(ns)
      return this.#append(await frameOf(ns, batch))
    }
  }

  async #append(request: PointsAppend): Promise<AppendResult> {
    const { seriesIds, ...result } = await this.#client.append(request)
    if (seriesIds === undefined) return result
    const named = request.seriesList.filter(isNamed)
    for (const [i, { key }] of named.entries()) if (seriesIds[i]) this.#ids.learn(request.ns, key, seriesIds[i])
    return result
  }
}

/** `MetricStore` on the embedded engine: columns out, calls to the store process in. `ids` are those of its series. */
export function duckDbMetricStore(client: StoreClient, ids: SeriesIds): MetricStore {
  const writer = new PointWriter(client, ids)
  return {
    append: (ns, batch) => writer.append(ns, batch),
    select: async (ns, request, signal) =>
      unpackSamples(await client.read<PackedSamples>('metrics.select', [ns, request], signal)),
    series: (ns, matchers, range, limit, signal) =>
      client.read('metrics.series', [ns, { matchers, range, limit } satisfies SeriesRequest], signal),
    metrics: (ns, request, signal) => client.read('metrics.metrics', [ns, request], signal),
    labels: (ns, request, signal) => client.read('metrics.labels', [ns, request], signal),
    cardinality: (ns, request, signal) => client.read('metrics.cardinality', [ns, request], signal),
    gaps: (ns, range) => gapSentences(client.gaps, ['points', 'histograms'], ns, range),
    settle: () => client.settle(),
    deleteBefore: (ns, timeNs) => client.call('deleteBefore', ['points', ns, timeNs]),
    dropNamespace: ns => {
      ids.forget(ns)
      return client.call('dropNamespace', [['points'], ns])
    }
  }
}

type FrameArgs = Parameters<typeof pointsAppend>

function frameOf(...args: FrameArgs): PointsAppend | Promise<PointsAppend> {
  const [, { items }] = args
  return items.length > POINTS_AT_ONCE ? pointsAppendInSlices(...args) : pointsAppend(...args)
}
