import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { ListenerRowsQuery } from '../api/generated/ListenerRows.js'
import { useInstantFormat } from '../app/use-instant-format.js'
import { visibleText } from '../format/visible-text.js'
import { timeColumn } from '../tables/time-column.js'
import { type Column, VirtualGrid } from '../tables/virtual-grid.js'
import { HostStateMark } from '../ui/host-state.js'
import { Instant } from '../ui/instant.js'
import { pageSearch } from '../url/page-search.js'
import type { SearchValues } from '../url/search-codec.js'
import { useAddress, useNamespace } from '../url/use-address.js'

type Listener = NonNullable<ListenerRowsQuery['listenerPage']>['nodes'][number]

const ROW_PX = 28
const MAX_ROWS_IN_VIEW = 24
/** Of a window that is narrower than the columns. */
const SCROLL_BAR_PX = 16

/** The process; the title has its command line, else its program. */
function Process({ process, command, exe }: Listener): React.JSX.Element {
  return <span title={visibleText(command ?? exe ?? '')}>{visibleText(process ?? '')}</span>
}

function columnsOf(namespace: string, search: SearchValues, zone: string): readonly Column<Listener>[] {
  return [
    {
      key: 'host',
      header: 'Host',
      width: 'minmax(160px, 1fr)',
      render: ({ host }) => (
        <Link
          to="/n/$namespace/hosts/$host"
          params={{ namespace, host: host.name }}
          search={pageSearch(search)}
          tabIndex={-1}
          onClick={event => event.stopPropagation()}
        >
          {visibleText(host.name)}
        </Link>
      )
    },
    { key: 'state', header: 'State', width: '72px', render: ({ state }) => <HostStateMark state={state} /> },
    { key: 'address', header: 'Address', width: '136px', render: ({ address }) => visibleText(address) },
    { key: 'port', header: 'Port', width: '72px', isNumeric: true, render: ({ port }) => String(port) },
    { key: 'protocol', header: 'Protocol', width: '84px', render: ({ protocol }) => visibleText(protocol) },
    { key: 'process', header: 'Process', width: '128px', render: Process },
    { key: 'service', header: 'Service', width: '120px', render: ({ service }) => visibleText(service ?? '') },
    { key: 'first', ...timeColumn('First seen', zone), render: ({ firstSeen }) => <Instant value={firstSeen} /> },
    { key: 'last', ...timeColumn('Last seen', zone), render: ({ lastSeen }) => <Instant value={lastSeen} /> }
  ]
}

/** Listening ports; a row opens its host. */
export function ListenerGrid({ listeners }: { readonly listeners: readonly Listener[] }): React.JSX.Element {
  const namespace = useNamespace()
  const navigate = useNavigate()
  const { search } = useAddress()
  const { zoneName } = useInstantFormat()
  const columns = useMemo(() => columnsOf(namespace, search, zoneName), [namespace, search, zoneName])
  return (
    <div style={{ height: (Math.min(listeners.length, MAX_ROWS_IN_VIEW) + 1) * ROW_PX + SCROLL_BAR_PX }}>
      <VirtualGrid
        label="Listeners"
        columns={columns}
        rows={listeners}
        total={listeners.length}
        rowKey={({ id }) => id}
        selectedKey={null}
        rowHeight={ROW_PX}
        onOpen={({ host }) =>
          void navigate({
            to: '/n/$namespace/hosts/$host',
            params: { namespace, host: host.name },
            search: pageSearch(search)
          })
        }
      />
    </div>
  )
}
