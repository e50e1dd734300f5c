import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useInstantFormat } from '../app/use-instant-format.js'
import { visibleText } from '../format/visible-text.js'
import { haveDates, timeColumn } from '../tables/time-column.js'
import { type Column, VirtualGrid } from '../tables/virtual-grid.js'
import { HostStateMark } from '../ui/host-state.js'
import { Instant } from '../ui/instant.js'
import { pageSearch } from '../url/page-search.js'
import type { SearchValues } from '../url/search-codec.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { Meter } from './meter.js'
import type { HostRow, HostUsage } from './use-hosts.js'

/** Longer names are cut in the list. */
const NAME_CHARACTERS = 200

interface CellContext {
  readonly namespace: string
  readonly search: SearchValues
  readonly zone: string
  /** Whether a host was last seen on another day. */
  readonly hasDates: boolean
  readonly usage: ReadonlyMap<string, HostUsage>
}

function columnsOf({ namespace, search, zone, hasDates, usage }: CellContext): readonly Column<HostRow>[] {
  return [
    {
      key: 'name',
      header: 'Host',
      width: 'minmax(220px, 1fr)',
      render: ({ name }) => (
        <Link
          to="/n/$namespace/hosts/$host"
          params={{ namespace, host: name }}
          search={pageSearch(search)}
          tabIndex={-1}
          onClick={event => event.stopPropagation()}
        >
          {visibleText(name.slice(0, NAME_CHARACTERS))}
        </Link>
      )
    },
    { key: 'state', header: 'State', width: '72px', render: ({ state }) => <HostStateMark state={state} /> },
    { key: 'cpu', header: 'CPU', width: '170px', render: ({ name }) => <Meter percent={usage.get(name)?.cpuPercent} /> },
    { key: 'memory', header: 'Memory', width: '170px', render: ({ name }) => <Meter percent={usage.get(name)?.memoryPercent} /> },
    {
      key: 'disk',
      header: 'Fullest disk',
      width: '170px',
      render: ({ name }) => <Meter percent={usage.get(name)?.diskPercent} />
    },
    { key: 'seen', ...timeColumn('Last seen', zone, hasDates), render: ({ lastSeen }) => <Instant value={lastSeen} /> }
  ]
}

/** What the list shows. */
export interface HostGridProps {
  readonly hosts: readonly HostRow[]
  readonly usage: ReadonlyMap<string, HostUsage>
  readonly total: { readonly value: number; readonly exact: boolean } | null
  readonly onEnd: () => void
}

/** Hosts by name. Enter and a click open one. */
export function HostGrid({ hosts, usage, total, onEnd }: HostGridProps): React.JSX.Element {
  const namespace = useNamespace()
  const navigate = useNavigate()
  const { search } = useAddress()
  const format = useInstantFormat()
  const columns = useMemo(() => {
    const hasDates = haveDates(
      format,
      hosts.map(({ lastSeen }) => lastSeen)
    )
    return columnsOf({ namespace, search, zone: format.zoneName, hasDates, usage })
  }, [namespace, search, format, hosts, usage])
  return (
    <VirtualGrid
      label="Hosts"
      columns={columns}
      rows={hosts}
      total={total?.exact === true ? total.value : null}
      rowKey={({ name }) => name}
      selectedKey={null}
      onOpen={({ name }) =>
        void navigate({ to: '/n/$namespace/hosts/$host', params: { namespace, host: name }, search: pageSearch(search) })
      }
      onEnd={onEnd}
    />
  )
}
