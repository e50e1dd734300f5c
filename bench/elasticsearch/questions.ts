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

/** What a console asks for one screen of logs. */
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

/** Variables of either question. */
export function variables({ fromMs, toMs }: MsRange, text?: string): object {
  const range = { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() }
  return text === undefined ? { range } : { range, text }
}

/** What the answers to both questions hold. */
export interface LogsAnswer {
  readonly data: {
    readonly logs: {
      readonly nodes: readonly object[]
      readonly total: { readonly value: number }
      readonly histogram: { readonly series: readonly { readonly counts: readonly number[] }[] }
      readonly facets?: readonly { readonly buckets: readonly { readonly count: number }[]; readonly other: number }[]
    }
  }
}

/** The same page as whoever knows the index would ask the engine itself: one search. */
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

/** What the engine answers to it. */
export interface RawAnswer {
  readonly hits: { readonly total: { readonly value: number }; readonly hits: readonly object[] }
}
