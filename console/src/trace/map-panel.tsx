import { TraceMapDocument, type TraceMapQuery } from '../api/generated/TraceMap.js'
import { useRequest } from '../api/use-request.js'
import { formatCount, formatDurationMs, plural } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { type FactColumn, FactsTable } from '../tables/facts-table.js'
import { ResultView } from '../ui/result-view.js'
import { Empty } from '../ui/states.js'
import { useNamespace } from '../url/use-address.js'
import { type MapPlace, mapPlaces } from './map-layout.js'
import styles from './map-panel.module.css'

type ServiceMap = NonNullable<TraceMapQuery['trace']>['serviceMap']
type Edge = ServiceMap['edges'][number]

const NODE = { width: 168, height: 44, columnGap: 96, rowGap: 20 } as const
const NAME_CHARACTERS = 22

function corner({ column, row }: MapPlace): { readonly x: number; readonly y: number } {
  return { x: 8 + column * (NODE.width + NODE.columnGap), y: 8 + row * (NODE.height + NODE.rowGap) }
}

/** The calls between the services of a trace, as a picture and as a table. */
export function MapPanel({
  traceId,
  rootService
}: {
  readonly traceId: string
  readonly rootService: string | null
}): React.JSX.Element {
  const namespace = useNamespace()
  const result = useRequest(TraceMapDocument, { traceId }, { namespace })
  return (
    <ResultView result={result} what="the map">
      {({ trace }) => trace && <Calls map={trace.serviceMap} rootService={rootService} />}
    </ResultView>
  )
}

function Calls({ map, rootService }: { readonly map: ServiceMap; readonly rootService: string | null }): React.JSX.Element {
  const { edges, stats } = map
  // Where services call each other in a cycle, the map begins at the root of the trace.
  const isRoot = ({ kind, name }: ServiceMap['nodes'][number]): boolean => kind === 'SERVICE' && name === rootService
  const nodes = map.nodes.toSorted((a, b) => Number(isRoot(b)) - Number(isRoot(a)))
  if (nodes.length === 0)
    return (
      <Empty title="No service of this trace has a name">
        <p>
          Set the resource attribute <code>service.name</code> in the SDK.
        </p>
      </Empty>
    )
  const names = new Map(
    nodes.map(({ id, name, kind }) => [id, `${visibleText(name)}${kind === 'SERVICE' ? '' : ` (${kind.toLowerCase()})`}`])
  )
  const nameOf = (id: string): string => names.get(id) ?? visibleText(id)
  const columns: readonly FactColumn<Edge>[] = [
    { header: 'Caller', render: ({ source }) => nameOf(source) },
    { header: 'Callee', render: ({ target }) => nameOf(target) },
    { header: 'Protocol', render: ({ protocol }) => (protocol == null ? '' : visibleText(protocol)) },
    { header: 'Calls', isNumeric: true, render: ({ red }) => formatCount(red.requests) },
    { header: 'Errors', isNumeric: true, render: ({ red }) => formatCount(red.errors) },
    { header: 'p95', isNumeric: true, render: ({ red }) => (red.p95Ms == null ? '' : formatDurationMs(red.p95Ms)) }
  ]
  return (
    <div className={styles.panel}>
      {!stats.complete && <p className={styles.cut}>Incomplete: {stats.warnings.join(' ')}</p>}
      <Picture nodes={nodes} edges={edges} nameOf={nameOf} />
      {edges.length === 0 ? (
        <p className={styles.note}>{plural(nodes.length, 'service')}, no calls between them.</p>
      ) : (
        <FactsTable
          label="Calls"
          columns={columns}
          rows={edges}
          rowKey={({ source, target, protocol }) => `${source} ${target} ${protocol}`}
        />
      )}
    </div>
  )
}

interface PictureProps extends Pick<ServiceMap, 'nodes' | 'edges'> {
  readonly nameOf: (id: string) => string
}

function Picture({ nodes, edges, nameOf }: PictureProps): React.JSX.Element {
  const places = mapPlaces(
    nodes.map(({ id }) => id),
    edges
  )
  const corners = [...places.values()].map(corner)
  const width = Math.max(...corners.map(({ x }) => x)) + NODE.width + 8
  const height = Math.max(...corners.map(({ y }) => y)) + NODE.height + 8
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a large map scrolls, also by keyboard
    <figure className={styles.picture} aria-label="Service map" tabIndex={0}>
      <svg width={width} height={height} aria-hidden="true">
        {edges.map(edge => (
          <Call key={`${edge.source} ${edge.target} ${edge.protocol}`} edge={edge} places={places} />
        ))}
        {nodes.map(({ id, kind }) => {
          const { x, y } = corner(places.get(id)!)
          const name = nameOf(id)
          return (
            <g key={id} transform={`translate(${x} ${y})`}>
              <title>{name}</title>
              <rect className={styles.node} data-kind={kind} width={NODE.width} height={NODE.height} rx={4} />
              <text className={styles.name} x={NODE.width / 2} y={NODE.height / 2 + 4} textAnchor="middle">
                {name.length > NAME_CHARACTERS ? `${name.slice(0, NAME_CHARACTERS - 1)}…` : name}
              </text>
            </g>
          )
        })}
      </svg>
    </figure>
  )
}

function Call({
  edge,
  places
}: {
  readonly edge: Edge
  readonly places: ReadonlyMap<string, MapPlace>
}): React.JSX.Element | null {
  const [source, target] = [places.get(edge.source), places.get(edge.target)]
  if (!source || !target || edge.source === edge.target) return null
  const from = corner(source)
  const to = corner(target)
  const [x1, y1] = [from.x + NODE.width, from.y + NODE.height / 2]
  const [x2, y2] = [to.x, to.y + NODE.height / 2]
  const bend = NODE.columnGap / 2
  return (
    <g className={styles.call} data-errors={edge.red.errors > 0 || undefined}>
      <path d={`M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`} />
      <path className={styles.head} d={`M${x2} ${y2} l-7 -4 v8 z`} />
      <text x={(x1 + x2) / 2} y={(y1 + y2) / 2 - 4} textAnchor="middle">
        {formatCount(edge.red.requests)}
      </text>
    </g>
  )
}
