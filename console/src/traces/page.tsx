import { lazy, Suspense, useCallback, useMemo } from 'react'
import { isQueryFault } from '../api/errors.js'
import type { TraceFieldNamesQuery } from '../api/generated/TraceFieldNames.js'
import type { TraceFieldValuesQuery } from '../api/generated/TraceFieldValues.js'
import { TraceRowsDocument } from '../api/generated/TraceRows.js'
import { useLastGood } from '../api/use-last-good.js'
import { loadCode } from '../app/load-code.js'
import { Page } from '../app/page.js'
import { FacetList } from '../query/facet-list.js'
import { FieldQueryBox } from '../query/field-query-box.js'
import { CompareSelect } from '../ui/compare-select.js'
import { FilterChips } from '../ui/filter-chips.js'
import layout from '../ui/page-layout.module.css'
import { PanelMenu } from '../ui/panel-menu.js'
import { ResultLine } from '../ui/result-line.js'
import { Failed, Loading } from '../ui/states.js'
import { WINDOW_BEFORE } from '../url/comparison.js'
import { one } from '../url/search-codec.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { useComparison } from '../url/use-comparison.js'
import { usePageWindow } from '../url/use-window.js'
import { DurationFilter } from './duration-filter.js'
import { Histograms } from './histograms.js'
import { NoTraces } from './no-traces.js'
import styles from './page.module.css'
import { comparedSpans, spanQuery } from './span-query.js'
import { TRACE_FIELDS } from './trace-fields.js'
import { FILTER_KEYS, readTraceFilter, type TraceView } from './trace-filter.js'
import { TraceList } from './trace-list.js'
import { type TraceSearch, useTraceOverview, useTraceRows } from './use-trace-search.js'

const TraceCharts = lazy(() => loadCode(async () => ({ default: (await import('./trace-charts.js')).TraceCharts })))
const TraceMatches = lazy(() => loadCode(async () => ({ default: (await import('./trace-matches.js')).TraceMatches })))

const WhatChanged = lazy(() => loadCode(async () => ({ default: (await import('../compare/what-changed.js')).WhatChanged })))
const MeasureView = lazy(() =>
  loadCode(async () => ({
    default: (await import('../measures/measure-view.js')).MeasureView<TraceFieldNamesQuery, TraceFieldValuesQuery>
  }))
)

const CHIP_KEYS = FILTER_KEYS.filter(key => key !== 'q' && key !== 'scope')

/** `/n/{namespace}/traces`: search, histograms, facets and list. */
export function TracesPage(): React.JSX.Element {
  const namespace = useNamespace()
  const { search, change } = useAddress()
  const { window, problems } = usePageWindow()
  const { filter, orderBy, view, problems: unusable } = useMemo(() => readTraceFilter(search), [search])
  const compared = useComparison()
  const rows = useTraceRows({ namespace, window, filter }, orderBy)
  const overview = useTraceOverview({ namespace, window, filter })
  const shownOverview = useLastGood(overview.data, namespace)?.traces
  const pages = useLastGood(rows.data, namespace)?.pages
  const loaded = useMemo(() => pages?.flatMap(page => page.traces?.nodes ?? []) ?? [], [pages])
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = rows
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [fetchNextPage, hasNextPage, isFetchingNextPage])
  const stats = pages?.at(-1)?.traces?.stats ?? null
  const isStale = rows.isPlaceholderData || rows.error !== null
  const isOverviewStale = overview.isPlaceholderData || overview.error !== null
  const counted = isOverviewStale ? null : (shownOverview?.total ?? null)
  const isWhole = !isStale && !hasNextPage && stats?.complete === true
  const total = isWhole ? { value: loaded.length, exact: true } : counted
  const tools = (
    <FieldQueryBox
      source={TRACE_FIELDS}
      namespace={namespace}
      window={window}
      value={one(search, 'q') ?? ''}
      error={rows.error}
      placeholder="Search names, services and exceptions, or field:value"
      onSubmit={q => change({ q })}
    />
  )
  return (
    <Page title="Traces" tools={tools} problems={[...problems, ...unusable, ...compared.problems]}>
      <div className={styles.layout}>
        <FacetList
          facets={shownOverview?.facets ?? null}
          isStale={isOverviewStale}
          error={overview.error}
          onRetry={() => void overview.refetch()}
          Matches={TraceMatches}
        >
          <DurationFilter />
        </FacetList>
        <section className={layout.results} aria-label="Results">
          <Histograms overview={shownOverview ?? null} isStale={isOverviewStale} window={window} />
          <FilterChips keys={CHIP_KEYS} />
          <div className={layout.bar}>
            <ResultLine
              noun="trace"
              loaded={loaded.length}
              hasMore={hasNextPage}
              total={isStale ? null : total}
              stats={stats}
              isStale={isStale}
              hasFailed={rows.error !== null}
              isRefused={isQueryFault(rows.error)}
            />
            <View view={view} />
            {view === 'list' && <Sort />}
            {view === 'compare' && <CompareSelect otherwise={WINDOW_BEFORE} />}
            <PanelMenu
              title="Traces"
              source={{ request: { document: TraceRowsDocument, variables: { range: window, filter, orderBy } } }}
              data={loaded.length > 0 ? loaded : undefined}
            />
          </div>
          {rows.error && !isQueryFault(rows.error) && <Failed error={rows.error} onRetry={() => void rows.refetch()} />}
          {rows.isPending && !pages && <Loading what="traces" />}
          {rows.data && !isStale && loaded.length === 0 && (
            <NoTraces filter={filter} window={window} warnings={stats?.warnings ?? []} />
          )}
          <Pictures view={view} search={{ namespace, window, filter }} />
          {view === 'list' && loaded.length > 0 && (
            <div className={layout.list}>
              <TraceList rows={loaded} total={total} orderBy={orderBy} onEnd={onEnd} />
            </div>
          )}
        </section>
      </div>
    </Page>
  )
}

/** The search in another form than the list. */
function Pictures({ view, search }: { readonly view: TraceView; readonly search: TraceSearch }): React.JSX.Element | null {
  const { namespace, window, filter } = search
  if (view === 'list') return null
  return (
    <Suspense fallback={<Loading what={view === 'compare' ? 'what changed' : 'chart'} />}>
      {view === 'compare' && <WhatChanged search={comparedSpans(filter, window)} />}
      {view === 'measure' && (
        <MeasureView signal="SPANS" namespace={namespace} window={window} source={TRACE_FIELDS} {...spanQuery(filter)} />
      )}
      {(view === 'scatter' || view === 'heatmap') && <TraceCharts {...search} view={view} />}
    </Suspense>
  )
}

function View({ view }: { readonly view: TraceView }): React.JSX.Element {
  const { change } = useAddress()
  return (
    <label className={styles.sort}>
      View
      <select value={view} onChange={event => change({ view: event.target.value === 'list' ? null : event.target.value })}>
        <option value="list">list</option>
        <option value="scatter">scatter</option>
        <option value="heatmap">heat map</option>
        <option value="compare">what changed</option>
        <option value="measure">measure</option>
      </select>
    </label>
  )
}

function Sort(): React.JSX.Element {
  const { search, change } = useAddress()
  return (
    <label className={styles.sort}>
      Sort
      <select
        value={one(search, 'sort') === 'duration' ? 'duration' : 'start'}
        onChange={event => change({ sort: event.target.value === 'duration' ? 'duration' : null })}
      >
        <option value="start">latest first</option>
        <option value="duration">longest first</option>
      </select>
    </label>
  )
}
