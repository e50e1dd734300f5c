import { allOf, type Filter } from '../../domain/filter.js'
import type { NamespaceId } from '../../domain/ids.js'
import { labelsOfValues } from '../../domain/metric-point.js'
import type { LogStore } from '../../ports/log-store.js'
import { notWhole, tooMany } from './refusals.js'
import { hasAnyRecord, type CountedSeries, type CountRequest, missing, pushedDown, type VirtualMetric } from './virtual-metric.js'

const NAME = 'log_records_total'
/** Labels are fields of the same names. */
const LABELS = { level: 'level', service: 'service' }
const LEVEL = { in: 'known', name: 'level' } as const
const SERVICE = { in: 'known', name: 'service' } as const
/** Levels: each is a query of its own, as logs are counted by one field at a time. */
const MAX_LEVELS = 50

type Logs = Pick<LogStore, 'search'>

/** `log_records_total{service,level}`. */
export function logRecords(logs: Logs): VirtualMetric {
  return {
    name: NAME,
    signal: 'logs',
    labels: Object.keys(LABELS),
    count: (ns, request, signal) => countLogs(logs, ns, request, signal),
    hasAny: hasAnyRecord((...requested) => logs.search(...requested))
  }
}

async function countLogs(
  logs: Logs,
  ns: NamespaceId,
  { range, grid, matchers, most }: CountRequest,
  signal: AbortSignal
): Promise<readonly CountedSeries[]> {
  const filter = pushedDown(matchers, LABELS)
  const { facets } = await logs.search(ns, { range, filter, facets: [{ field: LEVEL, filter, limit: MAX_LEVELS }] }, signal)
  const found = facets![0]!
  if (found.other > 0) throw tooMany(NAME, `${MAX_LEVELS} values of level`)
  const levels: readonly (readonly [string | null, Filter])[] = [
    ...found.values.map(({ value }) => [value, { kind: 'eq', field: LEVEL, value }] as const),
    ...(found.missing > 0 ? [[null, missing(LEVEL.name)] as const] : [])
  ]
  const series: CountedSeries[] = []
  for (const [level, own] of levels) {
    const request = { range, filter: allOf([filter, own]), histogram: { ...grid, by: SERVICE } }
    const counted = await logs.search(ns, request, signal)
    for (const { key, counts } of counted.histogram!) series.push({ labels: labelsOfValues({ level, service: key }), counts })
    if (series.length > most.count) throw most.refusal(NAME)
    if (!counted.complete) throw notWhole(NAME, counted.warnings)
  }
  return series
}
