import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { ErrorGroupsQuery } from '../api/generated/ErrorGroups.js'
import { useInstantFormat } from '../app/use-instant-format.js'
import { Sparkline } from '../charts/sparkline.js'
import { formatCount, plural } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { haveDates, timeColumn } from '../tables/time-column.js'
import { type Column, VirtualGrid } from '../tables/virtual-grid.js'
import { ExceptionStateMark } from '../ui/exception-state.js'
import { Instant } from '../ui/instant.js'
import { pageSearch } from '../url/page-search.js'
import type { SearchValues } from '../url/search-codec.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import styles from './page.module.css'

/** A group of the list. */
export type Group = NonNullable<ErrorGroupsQuery['exceptionGroups']>['nodes'][number]

/** Longer messages are cut in the list; the group has them whole. */
const CELL_CHARACTERS = 300
const ROW_PX = 28

interface CellContext {
  readonly namespace: string
  readonly search: SearchValues
  readonly zone: string
  /** Whether a group was first seen on another day. */
  readonly hasDates: boolean
}

function columnsOf({ namespace, search, zone, hasDates }: CellContext): readonly Column<Group>[] {
  return [
    { key: 'state', header: 'State', width: '88px', render: ({ state }) => <ExceptionStateMark state={state} /> },
    {
      key: 'error',
      header: 'Exception',
      width: 'minmax(300px, 1fr)',
      render: ({ id, type, message }) => (
        <>
          <Link
            to="/n/$namespace/errors/$id"
            params={{ namespace, id }}
            search={pageSearch(search)}
            tabIndex={-1}
            onClick={event => event.stopPropagation()}
          >
            {visibleText(type.slice(0, CELL_CHARACTERS))}
          </Link>{' '}
          <span className={styles.message}>{visibleText(message.slice(0, CELL_CHARACTERS))}</span>
        </>
      )
    },
    { key: 'service', header: 'Service', width: '120px', render: ({ service }) => visibleText(service) },
    { key: 'culprit', header: 'In', width: '180px', render: ({ culprit }) => visibleText(culprit ?? '') },
    { key: 'count', header: 'Count', width: '80px', isNumeric: true, render: ({ count }) => formatCount(count) },
    {
      key: 'trend',
      header: 'Trend',
      width: '112px',
      render: ({ count, histogram }) => (
        <Sparkline label={`${plural(count, 'error')} over the window`} samples={[]} errors={histogram.series[0]?.counts ?? []} />
      )
    },
    { key: 'first', ...timeColumn('First seen', zone, hasDates), render: ({ firstSeen }) => <Instant value={firstSeen} /> },
    {
      key: 'last',
      ...timeColumn('Last seen', zone, hasDates),
      sorted: 'descending',
      render: ({ lastSeen }) => <Instant value={lastSeen} />
    }
  ]
}

/** Groups of errors, most recently seen first; a row opens its group. */
export function ErrorGrid(props: {
  readonly groups: readonly Group[]
  /** Number of groups that exist; null when not known. */
  readonly total: number | null
  readonly onEnd: () => void
}): React.JSX.Element {
  const { groups, total, onEnd } = props
  const namespace = useNamespace()
  const navigate = useNavigate()
  const { search } = useAddress()
  const format = useInstantFormat()
  const columns = useMemo(() => {
    const hasDates = haveDates(
      format,
      groups.map(({ firstSeen }) => firstSeen)
    )
    return columnsOf({ namespace, search, zone: format.zoneName, hasDates })
  }, [namespace, search, format, groups])
  return (
    <div style={{ height: Math.min((groups.length + 1) * ROW_PX + 16, 720) }}>
      <VirtualGrid
        label="Exceptions"
        columns={columns}
        rows={groups}
        total={total}
        onEnd={onEnd}
        rowKey={({ id }) => id}
        selectedKey={null}
        rowHeight={ROW_PX}
        onOpen={({ id }) =>
          void navigate({ to: '/n/$namespace/errors/$id', params: { namespace, id }, search: pageSearch(search) })
        }
      />
    </div>
  )
}
