import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useApi } from '../api/context.js'
import { RumPageViewsDocument, type RumPageViewsQuery } from '../api/generated/RumPageViews.js'
import { useInstantFormat } from '../app/use-instant-format.js'
import { visibleText } from '../format/visible-text.js'
import { type FactColumn, FactsTable } from '../tables/facts-table.js'
import { Button } from '../ui/button.js'
import { Instant } from '../ui/instant.js'
import layout from '../ui/page-layout.module.css'
import { Panel } from '../ui/panel.js'
import { pageSearch } from '../url/page-search.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { usePageWindow } from '../url/use-window.js'
import { countryName } from './country-name.js'
import styles from './page.module.css'
import { readRumFilter } from './rum-filter.js'
import { formatVital } from './vitals.js'

type PageView = NonNullable<RumPageViewsQuery['rum']>['list']['nodes'][number]

const CELL_CHARACTERS = 120

/** The latest page views, which lead to their session and their trace. */
export function PageViewsPanel(): React.JSX.Element {
  const api = useApi()
  const namespace = useNamespace()
  const { search } = useAddress()
  const { window } = usePageWindow()
  const { zoneName } = useInstantFormat()
  const filter = readRumFilter(search)
  const result = useInfiniteQuery({
    queryKey: [namespace, 'rum.list', window, filter],
    queryFn: ({ signal, pageParam }) =>
      api.request(RumPageViewsDocument, { range: window, filter, after: pageParam }, { namespace, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ rum }) => (rum?.list.pageInfo.hasNextPage ? rum.list.pageInfo.endCursor : null),
    placeholderData: (previous, query) => (query?.queryKey[0] === namespace ? previous : undefined)
  })
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = result
  return (
    <Panel
      title="Page views"
      result={result}
      source={{ request: { document: RumPageViewsDocument, variables: { range: window, filter, after: null } } }}
      minHeight={120}
    >
      {({ pages }) => {
        const views = pages.flatMap(({ rum }) => rum?.list.nodes ?? [])
        if (views.length === 0) return <p className={layout.note}>No page views in this window.</p>
        return (
          <>
            <FactsTable label="Latest page views" rows={views} rowKey={({ id }) => id} columns={columnsOf(zoneName)} />
            {hasNextPage && (
              <p className={layout.note}>
                <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                  Load more
                </Button>
              </p>
            )}
          </>
        )
      }}
    </Panel>
  )
}

function columnsOf(zone: string): readonly FactColumn<PageView>[] {
  return [
    { header: `Time (${zone})`, render: ({ timestamp }) => <Instant value={timestamp} /> },
    {
      header: 'Page',
      render: ({ pageUrl }) => <span title={visibleText(pageUrl)}>{visibleText(pageUrl.slice(0, CELL_CHARACTERS))}</span>
    },
    {
      header: 'From',
      render: ({ country, deviceType, browser, os }) =>
        [country && countryName(country), deviceType, browser, os]
          .filter(Boolean)
          .map(text => visibleText(text!))
          .join(' · ')
    },
    { header: 'LCP', isNumeric: true, render: view => formatVital('LCP', view.largestContentfulPaintMs) },
    { header: 'INP', isNumeric: true, render: view => formatVital('INP', view.interactionToNextPaintMs) },
    { header: 'CLS', isNumeric: true, render: view => formatVital('CLS', view.cumulativeLayoutShift) },
    { header: 'Load', isNumeric: true, render: view => formatVital('LOAD', view.loadTimeMs) },
    { header: 'Session', render: ({ sessionId }) => <SessionLink sessionId={sessionId ?? null} /> },
    { header: 'Trace', render: ({ traceId }) => <TraceLink traceId={traceId ?? null} /> }
  ]
}

function SessionLink({ sessionId }: { readonly sessionId: string | null }): React.JSX.Element {
  const { search, change } = useAddress()
  if (sessionId === null) return <>–</>
  const text = visibleText(sessionId.slice(0, 12))
  if (search['session'] === sessionId) return <>{text}</>
  return (
    <button
      type="button"
      className={styles.link}
      title={`All page views of session ${visibleText(sessionId)}`}
      onClick={() => change({ session: sessionId })}
    >
      {text}
    </button>
  )
}

function TraceLink({ traceId }: { readonly traceId: string | null }): React.JSX.Element {
  const namespace = useNamespace()
  const { search } = useAddress()
  if (traceId === null) return <>–</>
  return (
    <Link
      to="/n/$namespace/traces/$traceId"
      params={{ namespace, traceId }}
      search={pageSearch(search, { from: null, to: null })}
    >
      Open trace
    </Link>
  )
}
