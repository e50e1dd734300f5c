import { Link, useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { TraceOrder } from '../api/generated/TraceRows.js'
import { useInstantFormat } from '../app/use-instant-format.js'
import { serviceColours } from '../charts/service-colour.js'
import type { InstantFormat } from '../format/instant.js'
import { formatCount, formatDurationMs, plural } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { haveDates, timeColumn } from '../tables/time-column.js'
import { type Column, VirtualGrid } from '../tables/virtual-grid.js'
import { one, type SearchValues } from '../url/search-codec.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import styles from './trace-list.module.css'
import type { TraceRow } from './use-trace-search.js'

/** Longer names are cut in the list. */
const NAME_CHARACTERS = 200

/** `checkout · POST /checkout`; the id when no span names the root. */
function nameOf({ rootService, rootOperation, traceId }: TraceRow): string {
  const names = [rootService, rootOperation].filter(Boolean)
  return names.length > 0 ? visibleText(names.join(' · ').slice(0, NAME_CHARACTERS)) : traceId
}

interface CellContext {
  readonly namespace: string
  readonly linkSearch: SearchValues
  readonly format: InstantFormat
  /** Whether a trace is of another day. */
  readonly hasDates: boolean
  readonly longestMs: number
  readonly orderBy: TraceOrder
  readonly colours: ReadonlyMap<string, string>
}

function columnsOf(context: CellContext): readonly Column<TraceRow>[] {
  const { namespace, linkSearch, format, hasDates, longestMs, orderBy, colours } = context
  const sortedBy = (order: TraceOrder): 'descending' | undefined => (orderBy === order ? 'descending' : undefined)
  return [
    {
      key: 'time',
      ...timeColumn('Start', format.zoneName, hasDates),
      sorted: sortedBy('START_TIME'),
      render: ({ startTime }) => (
        <time dateTime={startTime} title={`${format.full(startTime)} ${format.zoneName}`}>
          {format.time(startTime)}
        </time>
      )
    },
    {
      key: 'trace',
      header: 'Root service · operation',
      width: 'minmax(220px, 1fr)',
      render: row => (
        <>
          <Link
            to="/n/$namespace/traces/$traceId"
            params={{ namespace, traceId: row.traceId }}
            search={linkSearch}
            tabIndex={-1}
            className={styles.name}
            onClick={event => event.stopPropagation()}
          >
            {nameOf(row)}
          </Link>
          {row.hasMissingSpans && <span className={styles.missing}>missing spans</span>}
        </>
      )
    },
    {
      key: 'duration',
      header: 'Duration',
      width: '160px',
      sorted: sortedBy('DURATION'),
      render: ({ durationMs }) => (
        <span className={styles.duration}>
          <span className={styles.length}>{formatDurationMs(durationMs)}</span>
          <span className={styles.bar} style={{ width: `${longestMs > 0 ? (durationMs / longestMs) * 100 : 0}%` }} />
        </span>
      )
    },
    { key: 'spans', header: 'Spans', width: '72px', isNumeric: true, render: ({ spanCount }) => formatCount(spanCount) },
    {
      key: 'errors',
      header: 'Errors',
      width: '72px',
      isNumeric: true,
      render: ({ errorCount }) => (errorCount === 0 ? '' : <span className={styles.errors}>{formatCount(errorCount)}</span>)
    },
    {
      key: 'services',
      header: 'Services',
      width: '160px',
      render: ({ services }) => <ServiceStrip services={services} colours={colours} />
    },
    {
      key: 'logs',
      header: 'Logs',
      width: '72px',
      isNumeric: true,
      render: ({ logCount }) => (logCount === 0 ? '' : formatCount(logCount))
    }
  ]
}

interface ServiceStripProps {
  readonly services: TraceRow['services']
  readonly colours: ReadonlyMap<string, string>
}

/** The services of a trace, each as wide as its share of the spans. */
function ServiceStrip({ services, colours }: ServiceStripProps): React.JSX.Element {
  const text = services.map(({ service, spans }) => `${visibleText(service || 'unnamed')} ${plural(spans, 'span')}`).join(', ')
  return (
    <span className={styles.strip} role="img" aria-label={text} title={text}>
      {services.map(({ service, spans }) => (
        <span key={service} style={{ flexGrow: spans, background: colours.get(service) }} />
      ))}
    </span>
  )
}

/** What the list shows. */
export interface TraceListProps {
  readonly rows: readonly TraceRow[]
  readonly total: { readonly value: number; readonly exact: boolean } | null
  readonly orderBy: TraceOrder
  readonly onEnd: () => void
}

/** The traces of a search. Enter and a click open one. */
export function TraceList({ rows, total, orderBy, onEnd }: TraceListProps): React.JSX.Element {
  const namespace = useNamespace()
  const navigate = useNavigate()
  const format = useInstantFormat()
  const { search } = useAddress()
  const tz = one(search, 'tz')
  const linkSearch = useMemo((): SearchValues => (tz === null ? {} : { tz }), [tz])
  const longestMs = useMemo(() => rows.reduce((longest, { durationMs }) => Math.max(longest, durationMs), 0), [rows])
  const colours = useMemo(() => serviceColours(rows.flatMap(({ services }) => services.map(({ service }) => service))), [rows])
  const columns = useMemo(() => {
    const hasDates = haveDates(
      format,
      rows.map(({ startTime }) => startTime)
    )
    return columnsOf({ namespace, linkSearch, format, hasDates, longestMs, orderBy, colours })
  }, [namespace, linkSearch, format, rows, longestMs, orderBy, colours])
  const open = useCallback(
    ({ traceId }: TraceRow) =>
      void navigate({ to: '/n/$namespace/traces/$traceId', params: { namespace, traceId }, search: linkSearch }),
    [navigate, namespace, linkSearch]
  )
  return (
    <VirtualGrid
      label="Traces"
      columns={columns}
      rows={rows}
      total={total?.exact ? total.value : null}
      rowKey={row => row.traceId}
      selectedKey={null}
      onOpen={open}
      onEnd={onEnd}
    />
  )
}
