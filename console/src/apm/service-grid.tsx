import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { ApmServicesQuery } from '../api/generated/ApmServices.js'
import { useInstantFormat } from '../app/use-instant-format.js'
import { serviceColours } from '../charts/service-colour.js'
import { Sparkline } from '../charts/sparkline.js'
import { formatRate, plural } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { haveDates, timeColumn } from '../tables/time-column.js'
import { type Column, VirtualGrid } from '../tables/virtual-grid.js'
import { Instant } from '../ui/instant.js'
import { pageSearch } from '../url/page-search.js'
import type { SearchValues } from '../url/search-codec.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import styles from './page.module.css'
import { changeText } from './change-text.js'
import { FailedShare, Percentile, RequestCount, type RequestsOf, ServiceStateMark } from './service-facts.js'
import { readServiceFilter } from './service-filter.js'

type Service = NonNullable<ApmServicesQuery['serviceList']>['nodes'][number]

const ROW_PX = 28
const MAX_ROWS_IN_VIEW = 14

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}

interface RowContext {
  readonly namespace: string
  readonly search: SearchValues
  readonly zone: string
  /** Whether a service was last seen on another day. */
  readonly hasDates: boolean
  readonly colours: ReadonlyMap<string, string>
  /** Key of the column that the rows are sorted by. */
  readonly sort: string
}

function nameCell({ name }: Service, { namespace, search, colours }: RowContext): React.JSX.Element {
  return (
    <>
      <span className={styles.swatch} style={{ background: colours.get(name) }} />
      <Link
        to="/n/$namespace/apm/$service"
        params={{ namespace, service: name }}
        search={pageSearch(search)}
        tabIndex={-1}
        onClick={event => event.stopPropagation()}
      >
        {visibleText(name) || '(no name)'}
      </Link>
    </>
  )
}

function trend({ redSeries }: Service): React.JSX.Element | null {
  if (!redSeries) return null
  const label = `${plural(sum(redSeries.requests), 'request')}, ${plural(sum(redSeries.errors), 'error')} over the window`
  return <Sparkline label={label} samples={redSeries.requests} errors={redSeries.errors} />
}

function ofRow(service: string): RequestsOf {
  return { service, isInGrid: true }
}

function columnsOf(context: RowContext): readonly Column<Service>[] {
  const number = (key: string, header: string, width: string, render: Column<Service>['render']): Column<Service> => ({
    key,
    header,
    width,
    isNumeric: true,
    render
  })
  const columns: readonly Column<Service>[] = [
    { key: 'name', header: 'Service', width: 'minmax(140px, 1fr)', render: row => nameCell(row, context) },
    { key: 'state', header: 'State', width: '64px', render: ({ state }) => <ServiceStateMark state={state} /> },
    number('requests', 'Requests', '96px', ({ name, red }) => <RequestCount of={ofRow(name)} count={red.requests} />),
    number('rate', 'Rate', '80px', ({ red }) => formatRate(red.ratePerSecond)),
    number('errors', 'Error rate', '96px', ({ name, red }) => <FailedShare of={ofRow(name)} share={red.errorRate} />),
    number('p50', 'p50', '72px', ({ name, red }) => <Percentile of={ofRow(name)} ms={red.p50Ms} />),
    number('p95', 'p95', '72px', ({ name, red }) => <Percentile of={ofRow(name)} ms={red.p95Ms} />),
    number('p99', 'p99', '72px', ({ name, red }) => <Percentile of={ofRow(name)} ms={red.p99Ms} />),
    number('apdex', 'Apdex', '60px', ({ apdex }) => (apdex == null ? '–' : apdex.toFixed(2))),
    { key: 'trend', header: 'Trend', width: '112px', render: trend },
    {
      key: 'change',
      header: 'Against window before',
      width: 'minmax(180px, 1fr)',
      render: ({ change }) => <span title={changeText(change)}>{changeText(change)}</span>
    },
    {
      key: 'seen',
      ...timeColumn('Last seen', context.zone, context.hasDates),
      render: ({ lastSeen }) => <Instant value={lastSeen} />
    }
  ]
  return columns.map(column =>
    column.key === context.sort ? { ...column, sorted: column.key === 'name' ? 'ascending' : 'descending' } : column
  )
}

/** The services of the window; a row opens its service. */
export function ServiceGrid({ services }: { readonly services: readonly Service[] }): React.JSX.Element {
  const namespace = useNamespace()
  const navigate = useNavigate()
  const { search } = useAddress()
  const format = useInstantFormat()
  const columns = useMemo(() => {
    const colours = serviceColours(services.map(({ name }) => name))
    const hasDates = haveDates(
      format,
      services.map(({ lastSeen }) => lastSeen)
    )
    return columnsOf({ namespace, search, zone: format.zoneName, hasDates, colours, sort: readServiceFilter(search).sort })
  }, [services, namespace, search, format])
  const height = (Math.min(services.length, MAX_ROWS_IN_VIEW) + 1) * ROW_PX + 16
  return (
    <div style={{ height }}>
      <VirtualGrid
        label="Services"
        columns={columns}
        rows={services}
        total={services.length}
        rowKey={({ name }) => name}
        selectedKey={null}
        rowHeight={ROW_PX}
        onOpen={({ name }) =>
          void navigate({ to: '/n/$namespace/apm/$service', params: { namespace, service: name }, search: pageSearch(search) })
        }
      />
    </div>
  )
}
