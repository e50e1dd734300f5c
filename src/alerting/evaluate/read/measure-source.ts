import type { AggregateRequest, AggregateRow } from '../../../domain/aggregate.js'
import type { RecordCondition } from '../../../domain/alerts/alert-rule.js'
import type { Label } from '../../../domain/metric-point.js'
import type { Namespace } from '../../../domain/namespace.js'
import type { Clock } from '../../../ports/clock.js'
import type { AggregatedRecords } from '../../../query/aggregate/aggregation.js'
import { parseGroupFields } from '../../../query/aggregate/parse-measures.js'
import { keptRange } from '../../../query/read-window.js'
import { MAX_INSTANCES } from '../limits.js'
import { isCount, measuresOf } from './measured-condition.js'
import { checkComplete, IncompleteRead, type Snapshot } from './snapshot.js'
import { bucketsOf, MAX_BUCKETS, rangeOf } from './window-grid.js'
import { type WindowTiles, windowTiles } from './window-tiles.js'

/** Dependencies of `MeasureSource`. */
export interface MeasureSourceDeps {
  readonly logs: AggregatedRecords
  readonly spans: AggregatedRecords
  readonly clock: Pick<Clock, 'nowNs'>
}

/** Groups of one condition; more are an error. */
export const MAX_MEASURED_GROUPS = MAX_INSTANCES
/** Buckets of one read by groups: 50,000 values with as many groups as there can be. */
const MAX_GROUPED_BUCKETS = 50

/** Measures of logs and spans in windows that end at the requested times, their ends exclusive. */
export class MeasureSource {
  readonly #deps: MeasureSourceDeps

  constructor(deps: MeasureSourceDeps) {
    this.#deps = deps
  }

  /**
   * Counts of zero are data; other measures have no data without a number. Throws `IncompleteRead`, also for more groups than
   * `MAX_MEASURED_GROUPS`, and what the store throws.
   */
  async snapshots(
    ns: Namespace,
    condition: RecordCondition,
    times: readonly number[],
    signal: AbortSignal
  ): Promise<readonly Snapshot[]> {
    const snapshots = Array.from<Snapshot>({ length: times.length })
    const maxBuckets = condition.groupBy.length === 0 ? MAX_BUCKETS : MAX_GROUPED_BUCKETS
    for (const tiles of windowTiles(times, condition.windowMs, maxBuckets)) {
      const found = await this.#rows(ns, condition, tiles, signal)
      // The windows share the labels of a group: `PreparedRule` expands those of one list once.
      const rows = found.map(row => ({ ...row, labels: labelsOf(condition, row) }))
      for (const [i, place] of tiles.places.entries()) snapshots[place] = snapshotOf(condition, rows, i * tiles.perStep)
    }
    return snapshots
  }

  async #rows(
    ns: Namespace,
    condition: RecordCondition,
    tiles: WindowTiles,
    signal: AbortSignal
  ): Promise<readonly AggregateRow[]> {
    const records = this.#deps[condition.kind]
    const range = keptRange(rangeOf(tiles), { namespace: ns, signal: records.signal, nowNs: this.#deps.clock.nowNs() })
    if (range.startNs >= range.endNs) return []
    const request: AggregateRequest = {
      ...{ range, filter: records.filterOf({ query: condition.query }), measures: measuresOf(condition, records) },
      groupBy: parseGroupFields(condition.groupBy, records),
      ...(tiles.count > 1 && { grid: bucketsOf(tiles) }),
      // By their records, which costs no search engine a measure of each group. An estimate is the same for each window.
      rankBy: { measure: 0, order: 'desc' },
      ...{ limit: MAX_MEASURED_GROUPS, other: false, exact: false }
    }
    const found = await records.aggregate(ns.id, request, signal)
    checkComplete(found, `${condition.kind} are missing`)
    if (found.groups.value > MAX_MEASURED_GROUPS)
      throw new IncompleteRead([], `the condition has more than ${MAX_MEASURED_GROUPS} groups; narrow its query`)
    return found.rows
  }
}

/** Measures of one group, with the labels of its alert. */
interface LabelledRow extends AggregateRow {
  readonly labels: readonly Label[]
}

/** The number of records, and the measure, in a bucket. */
function valuesAt({ values, series }: AggregateRow, bucket: number): readonly (number | null | undefined)[] {
  return series === undefined ? values : series.map(each => each[bucket])
}

function labelsOf({ groupBy }: RecordCondition, { key }: AggregateRow): readonly Label[] {
  const labels = groupBy.flatMap((name, i): readonly Label[] => (key[i] == null ? [] : [{ name, value: key[i] }]))
  return labels.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function snapshotOf({ agg, groupBy }: RecordCondition, rows: readonly LabelledRow[], bucket: number): Snapshot {
  const counts = isCount(agg)
  if (groupBy.length === 0) {
    const value = rows[0] === undefined ? undefined : valuesAt(rows[0], bucket)[1]
    if (value == null) return counts ? { elements: [{ labels: [], value: 0 }], hasData: true } : { elements: [], hasData: false }
    return { elements: [{ labels: [], value }], hasData: true }
  }
  const elements = rows.flatMap(row => {
    const [records, value] = valuesAt(row, bucket)
    return records == null || records === 0 || value == null ? [] : [{ labels: row.labels, value }]
  })
  return { elements, hasData: counts || elements.length > 0 }
}
