import type { NamespaceId } from '../../domain/ids.js'
import { VITALS, type VitalName } from '../../domain/records/rum.js'
import type { EventStore } from '../../ports/event-store.js'
import { boundTest, bucketSeries } from './bucket-series.js'
import { groupedCounts, type GroupedMetric } from './grouped-counts.js'
import { hasAnyRecord, type CountedSeries, type CountRequest, type LabelFields, type VirtualMetric } from './virtual-metric.js'

/** Labels and the fields of page views that they are. */
const FIELDS: LabelFields = { page_group: 'page_group', device: 'device_type', country: 'country' }
const MS_PER_S = 1_000

/** Vitals that are histograms, and the upper bounds of their buckets in their own unit; those that rate them are among them. */
export const VITAL_BOUNDS = {
  largest_contentful_paint_ms: [500, 1_000, 1_500, 2_000, 2_500, 3_000, 4_000, 6_000, 10_000],
  interaction_to_next_paint_ms: [50, 100, 150, 200, 300, 500, 1_000, 2_000],
  cumulative_layout_shift: [0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1],
  first_contentful_paint_ms: [500, 1_000, 1_400, 1_800, 2_400, 3_000, 5_000, 10_000],
  time_to_first_byte_ms: [100, 200, 400, 800, 1_200, 1_800, 3_000, 5_000]
} as const satisfies Partial<Record<VitalName, readonly number[]>>

type MeasuredVital = keyof typeof VITAL_BOUNDS
type Events = Pick<EventStore, 'pageViews' | 'searchRum'>

/** The caller and the metric of a request. */
interface CountContext {
  readonly events: Events
  readonly ns: NamespaceId
  readonly metric: GroupedMetric
  readonly request: CountRequest
  readonly signal: AbortSignal
}

type Count = (context: CountContext) => Promise<readonly CountedSeries[]>

/** `rum_page_views_total{page_group,device,country}`, and histograms of vitals such as `rum_lcp_seconds`, of page views that have them. */
export function pageMetrics(events: Events): readonly VirtualMetric[] {
  const metric = (name: string, count: Count, vital?: VitalName, more: readonly string[] = []): VirtualMetric => {
    const only = vital && ({ kind: 'exists', field: { in: 'known', name: vital } } as const)
    const counted = { name, fields: FIELDS, ...(only && { only }) }
    return {
      name,
      labels: [...Object.keys(FIELDS), ...more],
      signal: 'rum',
      count: (ns, request, signal) => count({ events, ns, metric: counted, request, signal }),
      hasAny: hasAnyRecord((...requested) => events.searchRum(...requested))
    }
  }
  const histogram = (vital: MeasuredVital): readonly VirtualMetric[] => {
    const { name, perUnit } = metricOf(vital)
    return [
      metric(`${name}_bucket`, bucketCount(vital, perUnit), vital, ['le']),
      metric(`${name}_count`, countViews, vital),
      metric(`${name}_sum`, sumCount(vital, perUnit), vital)
    ]
  }
  const vitals = Object.keys(VITAL_BOUNDS) as MeasuredVital[]
  return [metric('rum_page_views_total', countViews), ...vitals.flatMap(histogram)]
}

/** Durations are in seconds, as Prometheus has them. */
function metricOf(vital: VitalName): { readonly name: string; readonly perUnit: number } {
  const name = `rum_${VITALS[vital].short}`
  return vital.endsWith('_ms') ? { name: `${name}_seconds`, perUnit: MS_PER_S } : { name, perUnit: 1 }
}

/** Counts by the labels; who lists them has nothing measured. */
async function countedBy(
  { events, ns, metric, request, signal }: CountContext,
  vital?: { readonly name: VitalName; readonly bounds: readonly number[] }
) {
  const measured = request.isListing === true || vital === undefined ? {} : { vital }
  const found = await groupedCounts(metric, request, requested => events.pageViews(ns, { ...requested, ...measured }, signal))
  return found.map(({ labels, row: { views, sums, buckets } }) => ({ labels, views, sums, buckets }))
}

async function countViews(context: CountContext): Promise<readonly CountedSeries[]> {
  return (await countedBy(context)).map(({ labels, views }) => ({ labels, counts: views }))
}

function sumCount(name: VitalName, perUnit: number): Count {
  return async context => {
    const rows = await countedBy(context, { name, bounds: [] })
    return rows.map(({ labels, views, sums }) => ({ labels, counts: sums?.map(sum => sum / perUnit) ?? views }))
  }
}

/** The buckets that the conditions on `le` let through, all out of one query. */
function bucketCount(name: MeasuredVital, perUnit: number): Count {
  return async context => {
    const { metric, request } = context
    const isRequested = boundTest(request.matchers)
    const bounds = VITAL_BOUNDS[name].filter(bound => isRequested(bound / perUnit))
    const upTo = bounds.map(bound => bound / perUnit)
    const perBound = { ...context, metric: { ...metric, seriesPerRow: bounds.length + 1 } }
    return (await countedBy(perBound, { name, bounds })).flatMap(({ labels, views, buckets }) =>
      bucketSeries(labels, upTo, buckets ?? [...bounds.map(() => []), views])
    )
  }
}
