import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { Operation } from './request.js'
import { useApi } from './context.js'

/** How a panel requests its data. */
export interface UseRequestOptions {
  /** The namespace of the page. Results of another namespace are never shown, not even while a result loads. */
  readonly namespace: string
  /** False to wait, for example for a result that a variable depends on. */
  readonly enabled?: boolean
  /** Interval after which the result is read again, in milliseconds; absent: only by Refresh. */
  readonly refreshMs?: number
}

/**
 * The result of an operation; cancels the request when the variables change, and keeps the last result of the same
 * namespace until the next one arrives.
 */
export function useRequest<Result, Variables>(
  document: Operation<Result, Variables>,
  variables: Variables,
  { namespace, enabled = true, refreshMs }: UseRequestOptions
): UseQueryResult<Result> {
  const api = useApi()
  return useQuery({
    queryKey: [namespace, document.toString(), variables],
    queryFn: ({ signal }) => api.request(document, variables, { namespace, signal }),
    enabled,
    refetchInterval: refreshMs ?? false,
    placeholderData: (previous, query) => (query?.queryKey[0] === namespace ? keepPreviousData(previous) : undefined)
  })
}
