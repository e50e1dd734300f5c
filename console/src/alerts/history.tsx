import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type AlertHistoryQuery, AlertHistoryDocument } from '../api/generated/AlertHistory.js'
import { useApi } from '../api/context.js'
import { useInstantFormat } from '../app/use-instant-format.js'
import { visibleText } from '../format/visible-text.js'
import { timeColumn } from '../tables/time-column.js'
import { SizedGrid } from '../tables/sized-grid.js'
import type { Column } from '../tables/virtual-grid.js'
import { Button } from '../ui/button.js'
import { Instant } from '../ui/instant.js'
import { ResultView } from '../ui/result-view.js'
import { Empty } from '../ui/states.js'
import { pageSearch } from '../url/page-search.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { usePageWindow } from '../url/use-window.js'
import { AlertStateMark } from './alert-state.js'
import { formatValue } from './format-value.js'
import { LabelList } from './label-list.js'
import styles from './page.module.css'

type Event = NonNullable<AlertHistoryQuery['alertEvents']>['nodes'][number]

function columnsOf(zone: string): readonly Column<Event>[] {
  return [
    { key: 'at', ...timeColumn('At', zone), sorted: 'descending', render: ({ at }) => <Instant value={at} /> },
    { key: 'from', header: 'From', width: '84px', render: ({ from }) => <AlertStateMark state={from} /> },
    { key: 'to', header: 'To', width: '84px', render: ({ to }) => <AlertStateMark state={to} /> },
    { key: 'rule', header: 'Rule', width: '220px', render: ({ rule }) => visibleText(rule?.alert ?? 'deleted rule') },
    { key: 'value', header: 'Value', width: '96px', isNumeric: true, render: ({ value }) => formatValue(value) },
    { key: 'labels', header: 'Labels', width: 'minmax(220px, 1fr)', render: ({ labels }) => <LabelList labels={labels} /> },
    {
      key: 'late',
      header: 'Late',
      width: '64px',
      render: ({ late }) => (late ? <span title="Evaluated after its time; the result is that of its time">late</span> : '')
    }
  ]
}

/** Changes of state in the window of the page, newest first; a row opens its rule. */
export function History(): React.JSX.Element {
  const namespace = useNamespace()
  const api = useApi()
  const { window } = usePageWindow()
  const result = useInfiniteQuery({
    queryKey: [namespace, 'alerts.history', window],
    queryFn: ({ signal, pageParam }) =>
      api.request(AlertHistoryDocument, { range: window, after: pageParam }, { namespace, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ alertEvents }) => (alertEvents?.pageInfo.hasNextPage ? alertEvents.pageInfo.endCursor : null)
  })
  const onEnd = (): void => {
    if (result.hasNextPage && !result.isFetchingNextPage) void result.fetchNextPage()
  }
  return (
    <section className={styles.section} aria-label="History" aria-busy={result.isFetching}>
      <ResultView result={result} what="history">
        {({ pages }) => (
          <Events
            events={pages.flatMap(({ alertEvents }) => alertEvents?.nodes ?? [])}
            hasMore={result.hasNextPage}
            onEnd={onEnd}
          />
        )}
      </ResultView>
    </section>
  )
}

function Events(props: {
  readonly events: readonly Event[]
  readonly hasMore: boolean
  readonly onEnd: () => void
}): React.JSX.Element {
  const { events, hasMore, onEnd } = props
  const namespace = useNamespace()
  const navigate = useNavigate()
  const { search, change } = useAddress()
  const { zoneName } = useInstantFormat()
  const columns = useMemo(() => columnsOf(zoneName), [zoneName])
  if (events.length === 0)
    return (
      <Empty title="No alert changed its state in this window">
        <Button onClick={() => change({ from: 'now-7d', to: null })}>Show the last 7 days</Button>
      </Empty>
    )
  return (
    <SizedGrid
      label="Alert history"
      columns={columns}
      rows={events}
      total={hasMore ? null : events.length}
      onEnd={onEnd}
      rowKey={({ id }) => id}
      selectedKey={null}
      onOpen={({ rule }) => {
        if (rule)
          void navigate({ to: '/n/$namespace/alerts/$id', params: { namespace, id: rule.id }, search: pageSearch(search) })
      }}
    />
  )
}
