import type { NamespaceId } from '../../../domain/ids.js'
import type { SeriesCatalog } from '../../../ports/series-catalog.js'
import type { Buckets } from '../client/buckets.js'
import { empty } from '../series/series.js'
import type { SeriesRegistry } from '../series/series-registry.js'
import type { SeriesSaver } from '../series/series-saver.js'
import type { MetricWriter } from '../write/metric-writer.js'
import type { BucketPlaces } from './bucket-places.js'

/** Dependencies of `Removal`. */
export interface BucketRemovalDeps {
  readonly buckets: Buckets
  readonly places: BucketPlaces
  readonly catalog: SeriesCatalog
  readonly registry: SeriesRegistry
  readonly saver: SeriesSaver
  readonly writer: MetricWriter
}

/** Takes points and namespaces away. What is interrupted is done whole by the next call. */
export class Removal {
  readonly #parts: BucketRemovalDeps

  constructor(parts: BucketRemovalDeps) {
    this.#parts = parts
  }

  /** As `MetricStore.deleteBefore`. */
  async deleteBefore(ns: NamespaceId, timeNs: bigint): Promise<void> {
    const { buckets, places, catalog } = this.#parts
    const place = await places.find(ns)
    if (!place) return
    await buckets.deletePoints({ bucket: place.bucket, ns: place.pooledNs, beforeNs: timeNs })
    this.#forgetBefore(ns, timeNs)
    await catalog.deleteBefore(ns, timeNs)
  }

  /** As `MetricStore.dropNamespace`: refused first, so that nothing comes after what is removed. */
  async dropNamespace(ns: NamespaceId): Promise<void> {
    const { places, writer, saver, catalog, registry } = this.#parts
    await places.refuse(ns)
    await writer.discard(ns)
    await saver.idle(ns)
    await places.remove(ns)
    await catalog.drop(ns)
    registry.forget(ns)
  }

  /** The catalog's row of a series goes when its bound is over; until then the series is empty here. */
  #forgetBefore(ns: NamespaceId, timeNs: bigint): void {
    const { registry } = this.#parts
    const known = registry.peek(ns)
    for (const series of [...(known?.of() ?? [])]) {
      if (series.savedToNs < timeNs && series.lastSeenNs < timeNs) known!.remove(series)
      else if (!registry.isShared && series.lastSeenNs < timeNs) empty(series)
    }
  }
}
