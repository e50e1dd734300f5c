import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { LogRowsQuery } from '../api/generated/LogRows.js'
import { useLastGood } from '../api/use-last-good.js'
import type { AddressProblem } from '../url/time-window.js'
import { type LogRow, type LogSearch, useLogRows } from './use-log-search.js'

type Stats = NonNullable<LogRowsQuery['logs']>['stats']

/** The loaded rows of a search and their state. */
export interface LogList {
  readonly rows: UseInfiniteQueryResult<InfiniteData<LogRowsQuery>>
  /** Rows that are shown: those of the last search that succeeded. */
  readonly loaded: readonly LogRow[]
  readonly stats: Stats | null
  /** True when no log of the search is missing in `loaded`, so that their number is the total. */
  readonly isWhole: boolean
  /** True while the rows of the former search are shown. */
  readonly isStale: boolean
  /** True until the first result. */
  readonly isFirst: boolean
  /** True when the shown rows are those of the search, also while a refresh repeats it. */
  readonly isSettled: boolean
  /** The search that the rows are of; undefined before the first result. */
  readonly shownSearch: string | undefined
  readonly problems: readonly AddressProblem[]
  /** Loads the next page, unless one is loading. */
  readonly onEnd: () => void
}

/**
 * @param at id of the record around which the list opens; null for the latest rows
 * @param searched identifies the search: filter, window and `at` as the address has them
 */
export function useLogList(search: LogSearch, at: string | null, searched: string): LogList {
  const { namespace } = search
  const rows = useLogRows(search, at)
  const pages = useLastGood(rows.data, namespace)?.pages
  const loaded = useMemo(() => pages?.flatMap(page => page.logs?.nodes ?? []) ?? [], [pages])
  const isStale = rows.isPlaceholderData || rows.error !== null
  const shownSearch = useLastGood(rows.data && !isStale ? searched : undefined, namespace)
  // The page around a record has the record itself, whatever the filter.
  const isUnknown = at !== null && rows.data !== undefined && !isStale && !loaded.some(({ id }) => id === at)
  const { fetchNextPage, hasNextPage, hasPreviousPage, isFetchingNextPage } = rows
  const stats = pages?.at(-1)?.logs?.stats ?? null
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [fetchNextPage, hasNextPage, isFetchingNextPage])
  return {
    rows,
    loaded,
    stats,
    // Not around a record, which is loaded whatever the filter.
    isWhole: at === null && !isStale && !hasNextPage && !hasPreviousPage && stats?.complete === true,
    isStale,
    isFirst: rows.isPending && !pages,
    isSettled: shownSearch === searched,
    shownSearch,
    problems: isUnknown ? [{ key: 'at', value: at, instead: 'the latest logs' }] : [],
    onEnd
  }
}
