import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useMemo } from 'react'
import type { LogFieldNamesQuery } from '../api/generated/LogFieldNames.js'
import type { LogFieldValuesQuery } from '../api/generated/LogFieldValues.js'
import { useLastGood } from '../api/use-last-good.js'
import { isQueryFault } from '../api/errors.js'
import { loadCode } from '../app/load-code.js'
import { Page } from '../app/page.js'
import { useShortcuts } from '../app/use-shortcuts.js'
import type { ComparedSearch } from '../compare/compared-sides.js'
import { FacetList } from '../query/facet-list.js'
import { FieldQueryBox } from '../query/field-query-box.js'
import { Button } from '../ui/button.js'
import { FilterChips } from '../ui/filter-chips.js'
import layout from '../ui/page-layout.module.css'
import { ResultLine } from '../ui/result-line.js'
import { Failed, Loading } from '../ui/states.js'
import { one } from '../url/search-codec.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { useComparison } from '../url/use-comparison.js'
import { usePageWindow } from '../url/use-window.js'
import { LogDetail } from './log-detail.js'
import { filterConditions, filterText } from './filter-text.js'
import { LOG_FIELDS } from './log-fields.js'
import { readLogFilter } from './log-filter.js'
import { LogHistogram } from './log-histogram.js'
import { ListTools, LiveTools } from './list-tools.js'
import { LogList } from './log-list.js'
import { readView, type Shown } from './log-view.js'
import { MoreFields } from './more-fields.js'
import { NoLogs } from './no-logs.js'
import styles from './page.module.css'
import { type LogRow, type LogSearch, useLogSummary } from './use-log-search.js'
import { useLogList } from './use-log-list.js'

const PatternList = lazy(() => loadCode(async () => ({ default: (await import('./pattern-list.js')).PatternList })))
const LogMatches = lazy(() => loadCode(async () => ({ default: (await import('./log-matches.js')).LogMatches })))
const WhatChanged = lazy(() => loadCode(async () => ({ default: (await import('../compare/what-changed.js')).WhatChanged })))
const MeasureView = lazy(() =>
  loadCode(async () => ({
    default: (await import('../measures/measure-view.js')).MeasureView<LogFieldNamesQuery, LogFieldValuesQuery>
  }))
)
const LiveTail = lazy(() => loadCode(async () => ({ default: (await import('./live-tail.js')).LiveTail })))

const FILTER_KEYS = ['level', 'service', 'host', 'source']

/** Keys of the list: `[` and `]` open the neighbours of the open record, `T` its trace. */
function useListKeys(rows: readonly LogRow[], selected: string | null, open: (row: LogRow) => void): void {
  const namespace = useNamespace()
  const navigate = useNavigate()
  const at = rows.findIndex(({ id }) => id === selected)
  const go = (index: number): void => {
    if (at >= 0 && rows[index]) open(rows[index])
  }
  useShortcuts({
    '[': () => go(at - 1),
    ']': () => go(at + 1),
    T: () => {
      const traceId = rows[at]?.traceId
      if (traceId) void navigate({ to: '/n/$namespace/traces/$traceId', params: { namespace, traceId } })
    }
  })
}

/** `/n/{namespace}/logs`: search, histogram, facets, list and detail. */
export function LogsPage(): React.JSX.Element {
  const namespace = useNamespace()
  const { search, change } = useAddress()
  const { choice, window, problems } = usePageWindow()
  const filter = useMemo(() => readLogFilter(search), [search])
  const compared = useComparison()
  const view = readView(search)
  const selected = one(search, 'sel')
  const query = { namespace, window, filter }
  const at = one(search, 'at')
  const list = useLogList(query, at, JSON.stringify([filter, choice, at]))
  const { rows, loaded, stats, isStale } = list
  const summary = useLogSummary(query)
  const shownSummary = useLastGood(summary.data, namespace)
  const open = useCallback((row: LogRow) => change({ sel: row.id }, { replace: selected !== null }), [change, selected])
  useListKeys(loaded, selected, open)
  const isSummaryStale = summary.isPlaceholderData || summary.error !== null
  const counted = isSummaryStale ? null : (shownSummary?.logs?.total ?? null)
  const total = list.isWhole ? { value: loaded.length, exact: true } : counted
  const tools = (
    <FieldQueryBox
      source={LOG_FIELDS}
      namespace={namespace}
      window={window}
      value={one(search, 'q') ?? ''}
      error={rows.error}
      placeholder="Search messages, or field:value"
      onSubmit={q => change({ q, sel: null })}
    />
  )
  return (
    <Page title="Logs" tools={tools} problems={[...problems, ...compared.problems, ...list.problems, ...view.problems]}>
      <div className={styles.layout} data-detail={selected !== null || undefined}>
        <FacetList
          facets={shownSummary?.logs?.facets ?? null}
          isStale={isStale || isSummaryStale}
          error={summary.error}
          onRetry={() => void summary.refetch()}
          Matches={LogMatches}
          more={<MoreFields query={query} Matches={LogMatches} />}
        />
        <section className={layout.results} aria-label="Results">
          {view.isLive ? (
            <>
              <FilterChips keys={FILTER_KEYS} />
              <Suspense fallback={<Loading what="live tail" />}>
                <LiveTail
                  // Another filter is another tail.
                  key={JSON.stringify([namespace, filter])}
                  namespace={namespace}
                  filter={filter}
                  selected={selected}
                  onOpen={open}
                  tools={<LiveTools window={window} />}
                />
              </Suspense>
            </>
          ) : (
            <>
              <LogHistogram
                histogram={shownSummary?.logs?.histogram ?? null}
                isStale={isStale || isSummaryStale}
                search={query}
                cuts={stats?.cuts ?? []}
              />
              <FilterChips keys={FILTER_KEYS} />
              <div className={layout.bar}>
                <ResultLine
                  noun="log"
                  loaded={loaded.length}
                  hasMore={rows.hasNextPage}
                  total={isStale ? null : total}
                  stats={stats}
                  isStale={isStale}
                  hasFailed={rows.error !== null}
                  isRefused={isQueryFault(rows.error)}
                />
                <ListTools query={query} view={view.shown} loaded={loaded} at={at} />
              </div>
              <FoundLogs query={query} shown={view.shown} list={list} total={total} at={at} selected={selected} onOpen={open} />
            </>
          )}
        </section>
        {selected !== null && <LogDetail id={selected} onClose={() => change({ sel: null })} />}
      </div>
    </Page>
  )
}

function comparedLogs({ window, filter }: LogSearch): ComparedSearch {
  return { signal: 'LOGS', window, ...filterConditions(filter) }
}

/** The rows of a search, or why it found nothing; or its patterns, what changed, or measures. */
function FoundLogs(props: {
  readonly query: LogSearch
  readonly shown: Shown
  readonly list: ReturnType<typeof useLogList>
  readonly total: { readonly value: number; readonly exact: boolean } | null
  readonly at: string | null
  readonly selected: string | null
  readonly onOpen: (row: LogRow) => void
}): React.JSX.Element {
  const { query, shown, list, total, at, selected, onOpen } = props
  const { rows, loaded, stats } = list
  const { comparison } = useComparison()
  if (shown === 'patterns') {
    return (
      <Suspense fallback={<Loading what="patterns" />}>
        <PatternList query={query} comparison={comparison} />
      </Suspense>
    )
  }
  if (shown === 'measure') {
    const { namespace, window, filter } = query
    return (
      <Suspense fallback={<Loading what="measures" />}>
        <MeasureView signal="LOGS" namespace={namespace} window={window} query={filterText(filter)} source={LOG_FIELDS} />
      </Suspense>
    )
  }
  if (shown === 'compare') {
    return (
      <Suspense fallback={<Loading what="what changed" />}>
        <WhatChanged search={comparedLogs(query)} />
      </Suspense>
    )
  }
  return (
    <>
      {rows.error && !isQueryFault(rows.error) && <Failed error={rows.error} onRetry={() => void rows.refetch()} />}
      {list.isFirst && <Loading what="logs" />}
      {list.isSettled && loaded.length === 0 && (
        <NoLogs filter={query.filter} window={query.window} warnings={stats?.warnings ?? []} />
      )}
      {loaded.length > 0 && (
        <>
          {rows.hasPreviousPage && (
            <Button disabled={rows.isFetchingPreviousPage} onClick={() => void rows.fetchPreviousPage()}>
              Load newer logs
            </Button>
          )}
          <LogList
            // Another search is another list, which starts at its top.
            key={list.shownSearch}
            rows={loaded}
            total={total}
            at={at}
            selected={selected}
            onOpen={onOpen}
            onEnd={list.onEnd}
          />
        </>
      )}
    </>
  )
}
