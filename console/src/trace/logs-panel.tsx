import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { TraceLogsDocument, type TraceLogsQuery } from '../api/generated/TraceLogs.js'
import { useApi } from '../api/context.js'
import { useInstantFormat } from '../app/use-instant-format.js'
import type { InstantFormat } from '../format/instant.js'
import { plural } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { haveDates, timeColumn } from '../tables/time-column.js'
import { type Column, VirtualGrid } from '../tables/virtual-grid.js'
import { LevelMark } from '../ui/level-mark.js'
import { ResultView } from '../ui/result-view.js'
import { Empty } from '../ui/states.js'
import { one } from '../url/search-codec.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { logQuery, windowAround } from './links.js'
import type { Trace } from './outline.js'
import styles from './page.module.css'
import type { TreeSpan } from './span-tree.js'

type LogRow = NonNullable<TraceLogsQuery['trace']>['logs']['nodes'][number]

const MESSAGE_CHARACTERS = 400

interface CellContext {
  readonly format: InstantFormat
  /** Whether a log is of another day. */
  readonly hasDates: boolean
  readonly spans: ReadonlyMap<string, TreeSpan>
}

function columnsOf({ format, hasDates, spans }: CellContext): readonly Column<LogRow>[] {
  return [
    {
      key: 'time',
      ...timeColumn('Time', format.zoneName, hasDates),
      sorted: 'ascending',
      render: ({ timestamp }) => <time dateTime={timestamp}>{format.time(timestamp)}</time>
    },
    { key: 'level', header: 'Level', width: '72px', render: ({ level }) => <LevelMark level={level} /> },
    { key: 'service', header: 'Service', width: '128px', render: ({ service }) => visibleText(service ?? '') },
    {
      key: 'span',
      header: 'Span',
      width: '180px',
      render: ({ spanId }) => (spanId == null ? '' : visibleText(spans.get(spanId)?.operation ?? 'not stored'))
    },
    {
      key: 'message',
      header: 'Message',
      width: 'minmax(240px, 1fr)',
      render: ({ message }) => visibleText(message.slice(0, MESSAGE_CHARACTERS))
    }
  ]
}

function useTraceLogs(traceId: string) {
  const api = useApi()
  const namespace = useNamespace()
  return useInfiniteQuery({
    queryKey: [namespace, 'trace.logs', traceId],
    queryFn: ({ signal, pageParam }) => api.request(TraceLogsDocument, { traceId, after: pageParam }, { namespace, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ trace }) => (trace?.logs.pageInfo.hasNextPage ? trace.logs.pageInfo.endCursor : null)
  })
}

/** The logs of a trace, oldest first; opening one shows it among all logs. */
export function LogsPanel({ trace, tree }: { readonly trace: Trace; readonly tree: readonly TreeSpan[] }): React.JSX.Element {
  const result = useTraceLogs(trace.traceId)
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = result
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  return (
    <ResultView result={result} what="logs">
      {data => <Loaded trace={trace} tree={tree} data={data} onEnd={onEnd} />}
    </ResultView>
  )
}

interface LoadedProps {
  readonly trace: Trace
  readonly tree: readonly TreeSpan[]
  readonly data: InfiniteData<TraceLogsQuery>
  readonly onEnd: () => void
}

function Loaded({ trace, tree, data, onEnd }: LoadedProps): React.JSX.Element {
  const namespace = useNamespace()
  const navigate = useNavigate()
  const format = useInstantFormat()
  const { search } = useAddress()
  const rows = useMemo(() => data.pages.flatMap(page => page.trace?.logs.nodes ?? []), [data])
  const columns = useMemo(() => {
    const hasDates = haveDates(
      format,
      rows.map(({ timestamp }) => timestamp)
    )
    return columnsOf({ format, hasDates, spans: new Map(tree.map(span => [span.spanId, span])) })
  }, [format, rows, tree])
  const target = useMemo(() => ({ ...windowAround(trace, one(search, 'tz')), q: logQuery(trace.traceId) }), [trace, search])
  if (rows.length === 0)
    return (
      <Empty title="No logs carry the id of this trace">
        <p>Logs are linked by the field trace_id, from an hour before the trace to an hour after it.</p>
      </Empty>
    )
  const stats = data.pages.at(-1)?.trace?.logs.stats
  const isCut = stats?.complete === false
  return (
    <>
      <p className={styles.bar} data-incomplete={isCut || undefined}>
        {plural(trace.logCount, 'log')}
        {trace.unlinkedLogCount > 0 && `, ${plural(trace.unlinkedLogCount, 'log')} without a span id`}
        {isCut && ` · Incomplete: ${stats.warnings.join(' ')}`} ·{' '}
        <Link to="/n/$namespace/logs" params={{ namespace }} search={target}>
          Search these logs
        </Link>
      </p>
      <div className={styles.list}>
        <VirtualGrid
          label="Logs"
          columns={columns}
          rows={rows}
          total={trace.logCount}
          rowKey={row => row.id}
          selectedKey={null}
          onOpen={({ id }) => void navigate({ to: '/n/$namespace/logs', params: { namespace }, search: { ...target, sel: id } })}
          onEnd={onEnd}
        />
      </div>
    </>
  )
}
