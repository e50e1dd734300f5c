import { type InfiniteData, useInfiniteQuery, type UseInfiniteQueryResult, type UseQueryResult } from '@tanstack/react-query'
import { type LogFilter, LogRowsDocument, type LogRowsQuery } from '../api/generated/LogRows.js'
import { LogComparedDocument, type LogComparedQuery } from '../api/generated/LogCompared.js'
import { LogSummaryDocument, type LogSummaryQuery } from '../api/generated/LogSummary.js'
import { useApi } from '../api/context.js'
import { ApiError } from '../api/errors.js'
import { useRequest } from '../api/use-request.js'
import type { Comparison } from '../url/comparison.js'
import type { TimeWindow } from '../url/time-window.js'

/** A record of the list. */
export type LogRow = NonNullable<LogRowsQuery['logs']>['nodes'][number]

/** What a search for logs depends on. */
export interface LogSearch {
  readonly namespace: string
  readonly window: TimeWindow
  readonly filter: LogFilter
}

/** Place of a page of rows: after or before a row, or around one; the latest rows when all are absent. */
interface RowPlace {
  readonly after?: string | null | undefined
  readonly before?: string | null | undefined
  readonly around?: string | null
}

/** Rows of a page. */
export const PAGE_ROWS = 500

/** Rows, latest first, in pages of 500; around a record when `at` is its id, and the latest ones when nothing has that id. */
export function useLogRows(
  { namespace, window, filter }: LogSearch,
  at: string | null
): UseInfiniteQueryResult<InfiniteData<LogRowsQuery>> {
  const api = useApi()
  const read = ({ after = null, before = null, around = null }: RowPlace, signal: AbortSignal): Promise<LogRowsQuery> => {
    const length = before === null ? { first: PAGE_ROWS } : { last: PAGE_ROWS }
    return api.request(LogRowsDocument, { range: window, filter, after, before, around, ...length }, { namespace, signal })
  }
  const initial: RowPlace = { around: at }
  return useInfiniteQuery({
    queryKey: [namespace, 'logs.rows', window, filter, at],
    queryFn: ({ signal, pageParam }) =>
      read(pageParam, signal).catch((error: unknown) => {
        if (pageParam.around != null && error instanceof ApiError && error.code === 'not_found') return read({}, signal)
        throw error
      }),
    initialPageParam: initial,
    getNextPageParam: ({ logs }): RowPlace | null => (logs?.pageInfo.hasNextPage ? { after: logs.pageInfo.endCursor } : null),
    getPreviousPageParam: ({ logs }): RowPlace | null =>
      at !== null && logs?.pageInfo.hasPreviousPage ? { before: logs.pageInfo.startCursor } : null,
    placeholderData: (previous, query) => (query?.queryKey[0] === namespace ? previous : undefined)
  })
}

/** Total, histogram and facets of the same search, in a request of their own: rows do not wait for them. */
export function useLogSummary({ namespace, window, filter }: LogSearch): UseQueryResult<LogSummaryQuery> {
  return useRequest(LogSummaryDocument, { range: window, filter }, { namespace })
}

/** Total and histogram of the same search in the window that the page is compared with; idle without one. */
export function useComparedLogs(
  { namespace, window, filter }: LogSearch,
  comparison: Comparison | null
): UseQueryResult<LogComparedQuery> {
  const range = comparison?.window ?? window
  return useRequest(LogComparedDocument, { range, filter }, { namespace, enabled: comparison !== null })
}
