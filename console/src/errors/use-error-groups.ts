import { type InfiniteData, useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { ErrorGroupsDocument, type ErrorGroupsQuery } from '../api/generated/ErrorGroups.js'
import { useApi } from '../api/context.js'
import type { TimeWindow } from '../url/time-window.js'
import type { ErrorFilter } from './error-filter.js'

/** Groups of a filter, most recently seen first, in pages of 60: with their histograms, the cost limit allows 90. */
export function useErrorGroups(
  namespace: string,
  window: TimeWindow,
  { query, services, states }: ErrorFilter
): UseInfiniteQueryResult<InfiniteData<ErrorGroupsQuery>> {
  const api = useApi()
  return useInfiniteQuery({
    queryKey: [namespace, 'errors.groups', window, query, services, states],
    queryFn: ({ signal, pageParam }) =>
      api.request(ErrorGroupsDocument, { range: window, query, services, states, after: pageParam }, { namespace, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ exceptionGroups }) =>
      exceptionGroups?.pageInfo.hasNextPage ? exceptionGroups.pageInfo.endCursor : null,
    placeholderData: (previous, query) => (query?.queryKey[0] === namespace ? previous : undefined)
  })
}
