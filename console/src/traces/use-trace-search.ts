import { type InfiniteData, useInfiniteQuery, type UseInfiniteQueryResult, type UseQueryResult } from '@tanstack/react-query'
import { TraceOverviewDocument, type TraceOverviewQuery } from '../api/generated/TraceOverview.js'
import { type TraceFilter, type TraceOrder, TraceRowsDocument, type TraceRowsQuery } from '../api/generated/TraceRows.js'
import { useApi } from '../api/context.js'
import { useRequest } from '../api/use-request.js'
import type { TimeWindow } from '../url/time-window.js'

/** A trace of the list. */
export type TraceRow = NonNullable<TraceRowsQuery['traces']>['nodes'][number]

/** What a search for traces depends on. */
export interface TraceSearch {
  readonly namespace: string
  readonly window: TimeWindow
  readonly filter: TraceFilter
}

/** Traces in pages of 100. */
export function useTraceRows(
  { namespace, window, filter }: TraceSearch,
  orderBy: TraceOrder
): UseInfiniteQueryResult<InfiniteData<TraceRowsQuery>> {
  const api = useApi()
  return useInfiniteQuery({
    queryKey: [namespace, 'traces.rows', window, filter, orderBy],
    queryFn: ({ signal, pageParam }) =>
      api.request(TraceRowsDocument, { range: window, filter, orderBy, after: pageParam }, { namespace, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ traces }) => (traces?.pageInfo.hasNextPage ? traces.pageInfo.endCursor : null),
    placeholderData: (previous, query) => (query?.queryKey[0] === namespace ? previous : undefined)
  })
}

/** Total, histograms and facets of the same search, in a request of their own: rows do not wait for them. */
export function useTraceOverview({ namespace, window, filter }: TraceSearch): UseQueryResult<TraceOverviewQuery> {
  return useRequest(TraceOverviewDocument, { range: window, filter }, { namespace })
}
