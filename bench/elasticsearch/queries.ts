import { KNOWN } from '../../src/stores/elasticsearch/document/field-names.js'

/** Rows of a page. */
export const PAGE_ROWS = 100
/** Bars of a histogram. */
const BUCKETS = 60
const FACETS = ['level', 'service', 'host'] as const
const FACET_VALUES = 10
const SHARD_VALUES = 100

/** A range of times in Unix milliseconds. */
export interface MsRange {
  readonly fromMs: number
  readonly toMs: number
}

const ROW = 'id timestamp level service host source message traceId spanId fields tags'

/** The request of a console for one screen of logs. */
export const PAGE = `query ($range: TimeRange!) {
  logs(range: $range, first: ${PAGE_ROWS}) {
    nodes { ${ROW} }
    total { value }
    histogram(buckets: ${BUCKETS}) { grid { start stepMs length } series { key counts } }
    facets(fields: ${JSON.stringify(FACETS)}, limit: ${FACET_VALUES}) { field missing other buckets { value count } }
  }
}`

/** The newest logs whose message holds a text, how many there are, and when. */
export const NEEDLE = `query ($range: TimeRange!, $text: String!) {
  logs(range: $range, first: ${PAGE_ROWS}, filter: { query: $text }) {
    nodes { ${ROW} }
    total { value }
    histogram(buckets: ${BUCKETS}) { grid { start stepMs length } series { key counts } }
  }
}`

/** Variables of either query. */
export function variables({ fromMs, toMs }: MsRange, text?: string): object {
  const range = { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() }
  return text === undefined ? { range } : { range, text }
}

/** The results of both queries. */
export interface LogsResult {
  readonly data: {
    readonly logs: {
      readonly nodes: readonly object[]
      readonly total: { readonly value: number }
      readonly histogram: { readonly series: readonly { readonly counts: readonly number[] }[] }
      readonly facets?: readonly { readonly buckets: readonly { readonly count: number }[]; readonly other: number }[]
    }
  }
}

/** The same page requested from the engine itself by a client that knows the index: one search. */
export function rawPage({ fromMs, toMs }: MsRange): object {
  const { field: time } = KNOWN.logs.timestamp
  const facets = FACETS.map(name => {
    const { field } = KNOWN.logs[name]
    const order = [{ _count: 'desc' }, { _key: 'asc' }]
    return [name, { terms: { field, size: FACET_VALUES, shard_size: SHARD_VALUES, order } }] as const
  })
  const missing = FACETS.map(name => [`${name}_missing`, { missing: { field: KNOWN.logs[name].field } }] as const)
  const interval = `${Math.ceil((toMs - fromMs) / BUCKETS)}ms`
  return {
    size: PAGE_ROWS,
    track_total_hits: true,
    query: {
      bool: { filter: [{ range: { [time]: { gte: new Date(fromMs).toISOString(), lt: new Date(toMs).toISOString() } } }] }
    },
    sort: [{ [time]: 'desc' }, { id: 'desc' }],
    aggs: {
      ...Object.fromEntries([...facets, ...missing]),
      histogram: { date_histogram: { field: time, fixed_interval: interval, min_doc_count: 0 } }
    }
  }
}

/** The engine's response. */
export interface RawResult {
  readonly hits: { readonly total: { readonly value: number }; readonly hits: readonly object[] }
}
