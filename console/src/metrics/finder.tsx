import { useInfiniteQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { MetricNamesDocument } from '../api/generated/MetricNames.js'
import { useApi } from '../api/context.js'
import { visibleText } from '../format/visible-text.js'
import { Button } from '../ui/button.js'
import { Empty, Failed, Loading } from '../ui/states.js'
import { all } from '../url/search-codec.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { usePageWindow } from '../url/use-window.js'
import { Builder, type MetricName } from './builder.js'
import styles from './finder.module.css'
import { firstExpression } from './selector.js'

const PAGE = 100

/** Names of metrics with samples in the window; a name shows its first chart and opens the builder. */
export function Finder(): React.JSX.Element {
  const namespace = useNamespace()
  const api = useApi()
  const { search, change } = useAddress()
  const { window } = usePageWindow()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<MetricName | null>(null)
  const contains = useDeferredValue(text.trim())
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: [namespace, 'metrics.names', contains, window.from],
    queryFn: ({ signal, pageParam }) =>
      api.request(MetricNamesDocument, { contains, range: window, first: PAGE, after: pageParam }, { namespace, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ metrics }) => (metrics?.pageInfo.hasNextPage ? metrics.pageInfo.endCursor : null),
    placeholderData: (previous, query) => (query?.queryKey[0] === namespace ? previous : undefined)
  })
  const names = data?.pages.flatMap(page => page.metrics?.nodes ?? [])
  const choose = (metric: MetricName): void => {
    setChosen(metric)
    change({ e: [firstExpression(metric.name, metric.kind), ...all(search, 'e').slice(1)], view: null })
  }
  return (
    <section aria-label="Find metrics" className={styles.finder}>
      <search>
        <input
          type="search"
          aria-label="Find metrics"
          placeholder="Find metrics"
          value={text}
          maxLength={256}
          spellCheck={false}
          onChange={event => setText(event.currentTarget.value)}
        />
      </search>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {!names && !error && <Loading what="metrics" />}
      {names?.length === 0 && <NoMetrics contains={contains} />}
      <ul className={styles.names}>
        {names?.map(metric => (
          <li key={metric.name}>
            <button
              type="button"
              className={styles.name}
              aria-current={metric.name === chosen?.name || undefined}
              title={metric.description == null ? undefined : visibleText(metric.description)}
              onClick={() => choose(metric)}
            >
              <span>{visibleText(metric.name)}</span>{' '}
              <span className={styles.kind}>
                {metric.kind.toLowerCase()}
                {metric.unit != null && `, ${visibleText(metric.unit)}`}
              </span>
            </button>
          </li>
        ))}
        {hasNextPage && (
          <li>
            <Button onClick={() => void fetchNextPage()}>Load more</Button>
          </li>
        )}
      </ul>
      {chosen && <Builder key={chosen.name} metric={chosen} onClose={() => setChosen(null)} />}
    </section>
  )
}

function NoMetrics({ contains }: { readonly contains: string }): React.JSX.Element {
  if (contains !== '') return <Empty title={`No metric with “${visibleText(contains)}”`} />
  return (
    <Empty title="No metrics in this window">
      <p>Widen the time range, or send some: OTLP status has the lines to copy into a sender.</p>
    </Empty>
  )
}
