import { type InfiniteData, useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { HostRowsDocument, type HostRowsQuery } from '../api/generated/HostRows.js'
import { HostUsageDocument, type HostUsageQuery } from '../api/generated/HostUsage.js'
import { useApi } from '../api/context.js'
import type { HostFilter } from './host-filter.js'

/** A host of the list. */
export type HostRow = NonNullable<HostRowsQuery['hostPage']>['nodes'][number]
/** What the latest samples of a host have. */
export type HostUsage = NonNullable<HostUsageQuery['hostPage']>['nodes'][number]

type Search = Pick<HostFilter, 'contains' | 'states'>

/** Hosts in pages of 100; `refreshMs` reads them again. */
export function useHostRows(
  namespace: string,
  { contains, states }: Search,
  refreshMs: number
): UseInfiniteQueryResult<InfiniteData<HostRowsQuery>> {
  const api = useApi()
  return useInfiniteQuery({
    queryKey: [namespace, 'hosts.rows', contains, states],
    queryFn: ({ signal, pageParam }) =>
      api.request(HostRowsDocument, { contains, states, after: pageParam }, { namespace, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ hostPage }) => (hostPage?.pageInfo.hasNextPage ? hostPage.pageInfo.endCursor : null),
    placeholderData: (previous, query) => (query?.queryKey[0] === namespace ? previous : undefined),
    refetchInterval: refreshMs
  })
}

/** Figures of the same pages, in requests of their own: rows do not wait for them. */
export function useHostUsage(
  namespace: string,
  { contains, states }: Search,
  refreshMs: number
): UseInfiniteQueryResult<InfiniteData<HostUsageQuery>> {
  const api = useApi()
  return useInfiniteQuery({
    queryKey: [namespace, 'hosts.usage', contains, states],
    queryFn: ({ signal, pageParam }) =>
      api.request(HostUsageDocument, { contains, states, after: pageParam }, { namespace, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ hostPage }) => (hostPage?.pageInfo.hasNextPage ? hostPage.pageInfo.endCursor : null),
    placeholderData: (previous, query) => (query?.queryKey[0] === namespace ? previous : undefined),
    refetchInterval: refreshMs
  })
}
