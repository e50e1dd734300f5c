import type { NamespaceId } from '../../../domain/ids.js'
import type { MetricPoint } from '../../../domain/metric-point.js'
import type { AppendResult } from '../../../ports/append.js'
import { pointFields } from '../line/field-values.js'
import { seriesHead } from '../line/series-head.js'
import { FIRST_NS, LAST_NS } from '../line/time-bounds.js'
import type { NamespaceSeries } from '../series/namespace-series.js'
import { catalogNeed, type Series } from '../series/series.js'

/** Lines of one namespace that travel together, each ended by a line feed. */
export interface LineChunk {
  readonly text: string
  readonly sizeBytes: number
  /** Per line: the point's place in its batch. */
  readonly places: readonly number[]
}

/** What the points of a batch need. */
export interface WritePlan {
  readonly chunks: readonly LineChunk[]
  /** Per point of the batch; null where it has failed. */
  readonly series: (Series | null)[]
  readonly failures: AppendResult['failures'][number][]
  /** Series that the catalog must hear of before the points are acknowledged. */
  readonly unsaved: ReadonlySet<Series>
  /** Series that it should hear of soon. */
  readonly renewed: ReadonlySet<Series>
}

/** Bounds of a plan. */
export interface PlanOptions {
  readonly pooledNs: NamespaceId | null
  /** Points before it are beyond the namespace's retention. */
  readonly oldestNs: bigint
  readonly maxChunkPoints: number
}

const TOO_OLD = "the point is older than the namespace's retention"
const OUTSIDE_TIME = 'InfluxDB keeps times from 1677-09-21 to 2262-04-11'
const UNFIT = 'the name and labels of the series exceed the limit of InfluxDB'

/** Turns a batch into lines; every error of a point is found here, so that InfluxDB has nothing to refuse. */
export function planLines(known: NamespaceSeries, items: readonly MetricPoint[], options: PlanOptions): WritePlan {
  const plan = new LinePlan(known, options)
  items.forEach((point, place) => plan.add(point, place))
  return plan.finish()
}

class LinePlan {
  readonly #known: NamespaceSeries
  readonly #options: PlanOptions
  readonly #oldestNs: bigint
  readonly #series: (Series | null)[] = []
  readonly #failures: AppendResult['failures'][number][] = []
  readonly #unsaved = new Set<Series>()
  readonly #renewed = new Set<Series>()
  readonly #chunks: LineChunk[] = []
  #text = ''
  #places: number[] = []

  constructor(known: NamespaceSeries, options: PlanOptions) {
    this.#known = known
    this.#options = options
    this.#oldestNs = options.oldestNs > FIRST_NS ? options.oldestNs : FIRST_NS
  }

  add(point: MetricPoint, place: number): void {
    const series = this.#seriesOf(point, place)
    this.#series.push(series)
    if (!series) return
    const need = catalogNeed(series, point.timestampNs)
    if (need === 'must') this.#unsaved.add(series)
    else if (need === 'should') this.#renewed.add(series)
    this.#text += `${series.head!} ${pointFields(point)} ${point.timestampNs}\n`
    this.#places.push(place)
    if (this.#places.length >= this.#options.maxChunkPoints) this.#endChunk()
  }

  finish(): WritePlan {
    if (this.#places.length > 0) this.#endChunk()
    const { chunks, series, failures } = { chunks: this.#chunks, series: this.#series, failures: this.#failures }
    return { chunks, series, failures, unsaved: this.#unsaved, renewed: this.#renewed }
  }

  #seriesOf(point: MetricPoint, place: number): Series | null {
    const timeNs = point.timestampNs
    if (timeNs < this.#oldestNs || timeNs > LAST_NS) {
      return this.#fail(point, timeNs < this.#oldestNs && timeNs >= FIRST_NS ? TOO_OLD : OUTSIDE_TIME)
    }
    const series = this.#known.admit(point)
    if (!series) {
      this.#failures.push({ index: point.index, reason: this.#known.refusal(point), overBudgetAt: place })
      return null
    }
    if (series.head === undefined) series.head = seriesHead(series, this.#options.pooledNs)
    if (series.head !== null) return series
    this.#known.remove(series)
    return this.#fail(point, UNFIT)
  }

  #fail({ index }: MetricPoint, reason: string): null {
    this.#failures.push({ index, reason })
    return null
  }

  #endChunk(): void {
    this.#chunks.push({ text: this.#text, sizeBytes: Buffer.byteLength(this.#text), places: this.#places })
    this.#text = ''
    this.#places = []
  }
}
