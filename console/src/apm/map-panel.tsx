import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ApmMapDocument, type ApmMapQuery } from '../api/generated/ApmMap.js'
import { useRequest } from '../api/use-request.js'
import { formatCount, formatLatency, formatRate, plural } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { type FactColumn, FactsTable } from '../tables/facts-table.js'
import { Button } from '../ui/button.js'
import layout from '../ui/page-layout.module.css'
import { Panel } from '../ui/panel.js'
import { pageSearch } from '../url/page-search.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { usePageWindow } from '../url/use-window.js'
import { ErrorRate } from './service-facts.js'
import { ServiceMapView } from './service-map.js'

type ServiceMap = NonNullable<ApmMapQuery['serviceMap']>
type Call = ServiceMap['edges'][number]

/** A larger graph takes seconds to lay out, and cannot be read; the table has all calls. */
const MAX_DRAWN_NODES = 200

/** The calls between services as a picture and as a table; of one service and its neighbours when `service` is set. */
export function MapPanel({ service }: { readonly service?: string }): React.JSX.Element {
  const namespace = useNamespace()
  const { window } = usePageWindow()
  const depth = service === undefined ? null : 1
  const variables = { range: window, service: service ?? null, depth }
  const result = useRequest(ApmMapDocument, variables, { namespace })
  const [hasTable, setHasTable] = useState(false)
  const toggle = (
    <Button aria-expanded={hasTable} onClick={() => setHasTable(!hasTable)}>
      {hasTable ? 'Hide data' : 'Show data'}
    </Button>
  )
  const title = service === undefined ? 'Service map' : 'Callers and callees'
  return (
    <Panel
      title={title}
      result={result}
      what="the map"
      actions={service === undefined && toggle}
      source={{ request: { document: ApmMapDocument, variables } }}
      minHeight={160}
      completenessOf={({ serviceMap }) => serviceMap?.stats}
    >
      {({ serviceMap }) =>
        serviceMap && serviceMap.nodes.length > 0 ? (
          <>
            {serviceMap.nodes.length > MAX_DRAWN_NODES ? (
              <p className={layout.note}>{plural(serviceMap.nodes.length, 'node')} are too many for a picture.</p>
            ) : (
              <ServiceMapView map={serviceMap} focus={service ?? null} />
            )}
            {(hasTable || service !== undefined || serviceMap.nodes.length > MAX_DRAWN_NODES) && <Calls map={serviceMap} />}
          </>
        ) : (
          <p className={layout.note}>No calls in this window.</p>
        )
      }
    </Panel>
  )
}

function Calls({ map }: { readonly map: ServiceMap }): React.JSX.Element {
  const nodes = new Map(map.nodes.map(node => [node.id, node]))
  const end = (id: string): React.JSX.Element => <MapEnd node={nodes.get(id)} id={id} />
  const columns: readonly FactColumn<Call>[] = [
    { header: 'Caller', render: ({ source }) => end(source) },
    { header: 'Callee', render: ({ target }) => end(target) },
    { header: 'Protocol', render: ({ protocol }) => visibleText(protocol ?? '–') },
    { header: 'Calls', isNumeric: true, render: ({ red }) => formatCount(red.requests) },
    { header: 'Rate', isNumeric: true, render: ({ red }) => formatRate(red.ratePerSecond) },
    { header: 'Error rate', isNumeric: true, render: ({ red }) => <ErrorRate share={red.errorRate} /> },
    { header: 'p95', isNumeric: true, render: ({ red }) => formatLatency(red.p95Ms) }
  ]
  return <FactsTable label="Calls" columns={columns} rows={map.edges} rowKey={({ source, target }) => `${source} ${target}`} />
}

function MapEnd({
  node,
  id
}: {
  readonly node: ServiceMap['nodes'][number] | undefined
  readonly id: string
}): React.JSX.Element {
  const namespace = useNamespace()
  const { search } = useAddress()
  if (node?.kind !== 'SERVICE') return <>{visibleText(node ? `${node.name} (${node.kind.toLowerCase()})` : id)}</>
  return (
    <Link to="/n/$namespace/apm/$service" params={{ namespace, service: node.name }} search={pageSearch(search)}>
      {visibleText(node.name) || '(no name)'}
    </Link>
  )
}
