import type { ConfinedQuery } from './scope.js'

/** A named aggregation of the engine. */
export type Aggregations = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** A search as it is sent. */
export interface SearchBody {
  readonly query: ConfinedQuery
  readonly size: number
  readonly post_filter?: Readonly<Record<string, unknown>>
  readonly sort?: readonly Readonly<Record<string, unknown>>[]
  readonly search_after?: readonly string[]
  /** Hits state the last write of their document. */
  readonly seq_no_primary_term?: boolean
  readonly track_total_hits: boolean
  readonly _source?: boolean | readonly string[]
  readonly aggs?: Aggregations
}

/** A document of a response. */
export interface SearchHit {
  /** In hits of searches, not of aggregations. */
  readonly _id?: string
  /** The last write of the document, with `seq_no_primary_term`. */
  readonly _seq_no?: number
  readonly _primary_term?: number
  readonly _source: Readonly<Record<string, unknown>>
}

/** A bucket of any aggregation, or its whole result: its content depends on the request. */
export interface AggregationResult {
  readonly doc_count?: number
  readonly doc_count_error_upper_bound?: number
  readonly sum_other_doc_count?: number
  readonly key?: string | number
  readonly value?: number | null
  readonly values?: Readonly<Record<string, number | null>>
  readonly after_key?: Readonly<Record<string, unknown>>
  readonly buckets?: readonly AggregationBucket[]
  readonly hits?: { readonly hits: readonly (SearchHit & { readonly fields?: Readonly<Record<string, readonly unknown[]>> })[] }
}

/** Results of sub-aggregations are members of the bucket. */
export type AggregationBucket = AggregationResult & { readonly [name: string]: unknown }

/** What a search returned. */
export interface SearchResponse {
  readonly hits: { readonly total?: { readonly value: number }; readonly hits: readonly SearchHit[] }
  readonly aggregations?: Readonly<Record<string, AggregationResult>>
}

/**
 * Runs searches on explicit indices. Results are complete or an error: `store_unavailable` when the engine cannot be
 * reached or a shard did not respond, `query_timeout`, `overloaded`, `query_unsupported` for a query that the engine
 * refuses, `OversizedResponse` for results that are too large. An abort ends the request in the engine and rejects with
 * the signal's reason.
 */
export interface SearchEngine {
  search(indices: readonly string[], body: SearchBody, signal?: AbortSignal): Promise<SearchResponse>
}
