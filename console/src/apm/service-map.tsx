import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { ApmMapQuery } from '../api/generated/ApmMap.js'
import { formatCompact, formatLatency, formatRate, formatShare } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { Loading } from '../ui/states.js'
import { pageSearch } from '../url/page-search.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { type MapGraph, type MapLayout, NODE, type Point } from './map-layout.js'
import styles from './service-map.module.css'
import { useMapLayout } from './use-map-layout.js'

type ServiceMap = NonNullable<ApmMapQuery['serviceMap']>
type MapNode = ServiceMap['nodes'][number]
type MapEdge = ServiceMap['edges'][number]

const NAME_CHARACTERS = 27
const MAX_LINE_PX = 5

/** The width of a line by its share of the busiest one. */
function lineWidth({ red }: MapEdge, max: number): number {
  return 1 + (MAX_LINE_PX - 1) * Math.sqrt(max === 0 ? 0 : red.requests / max)
}

function pathOf(points: readonly Point[]): string {
  const [first, ...rest] = points
  if (!first) return ''
  return `M${first.x},${first.y}${rest.map(({ x, y }) => `L${x},${y}`).join('')}`
}

/** The arrow from caller to callee ends with a triangle that points along the last stretch of the line. */
function arrowOf(points: readonly Point[]): string {
  const [from, to] = points.slice(-2)
  if (!from || !to) return ''
  const angle = Math.atan2(to.y - from.y, to.x - from.x)
  const corner = (turn: number): string =>
    `${(to.x - 8 * Math.cos(angle + turn)).toFixed(1)},${(to.y - 8 * Math.sin(angle + turn)).toFixed(1)}`
  return `M${to.x},${to.y}L${corner(0.45)}L${corner(-0.45)}Z`
}

/** Services and their peers as boxes, calls as arrows. The table of the calls next to it has the same for all senses. */
export function ServiceMapView({ map, focus }: { readonly map: ServiceMap; readonly focus: string | null }): React.JSX.Element {
  const graph = useMemo(
    (): MapGraph => ({
      nodes: map.nodes.map(({ id }) => id),
      edges: map.edges.map(({ source, target }) => ({ source, target }))
    }),
    [map]
  )
  const { layout, hasFailed } = useMapLayout(graph)
  if (hasFailed) return <p className={styles.note}>The map could not be drawn; the table has all calls.</p>
  if (!layout) return <Loading what="the map" />
  return <Drawing map={map} layout={layout} focus={focus} />
}

function Drawing(props: {
  readonly map: ServiceMap
  readonly layout: MapLayout
  readonly focus: string | null
}): React.JSX.Element {
  const { map, layout, focus } = props
  const max = Math.max(0, ...map.edges.map(({ red }) => red.requests))
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a wide map scrolls, also by keyboard
    <div className={styles.scroller} tabIndex={0} role="group" aria-label="Services as boxes, calls as arrows">
      <svg width={layout.width} height={layout.height} viewBox={`0 0 ${layout.width} ${layout.height}`} aria-hidden="true">
        {map.edges.map((edge, index) => (
          <g key={`${edge.source} ${edge.target}`} className={styles.edge} data-failing={edge.red.errorRate > 0 || undefined}>
            <title>{describe(edge)}</title>
            <path d={pathOf(layout.edges[index]!)} strokeWidth={lineWidth(edge, max)} className={styles.line} />
            <path d={arrowOf(layout.edges[index]!)} className={styles.arrow} />
          </g>
        ))}
        {map.nodes.map((node, index) => (
          <Box key={node.id} node={node} at={layout.nodes[index]!} isFocus={node.kind === 'SERVICE' && node.name === focus} />
        ))}
      </svg>
    </div>
  )
}

function describe({ source, target, protocol, red }: MapEdge): string {
  const how = protocol ? ` (${protocol})` : ''
  const facts = `${formatRate(red.ratePerSecond)}, ${formatShare(red.errorRate)} errors, p95 ${formatLatency(red.p95Ms)}`
  return visibleText(`${source} to ${target}${how}: ${facts}`)
}

function Box({
  node,
  at,
  isFocus
}: {
  readonly node: MapNode
  readonly at: Point
  readonly isFocus: boolean
}): React.JSX.Element {
  const namespace = useNamespace()
  const navigate = useNavigate()
  const { search } = useAddress()
  const isService = node.kind === 'SERVICE'
  const name = visibleText(node.name) || '(no name)'
  const failed = node.red.errorRate > 0 ? ` · ${formatShare(node.red.errorRate)} err` : ''
  const facts = `${formatCompact(node.red.requests)} req${failed}`
  const open = (): void => {
    if (isService)
      void navigate({ to: '/n/$namespace/apm/$service', params: { namespace, service: node.name }, search: pageSearch(search) })
  }
  return (
    // The picture is hidden from assistive technology; the table of the calls has the links.
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <g
      className={styles.node}
      data-kind={node.kind.toLowerCase()}
      data-focus={isFocus || undefined}
      data-failing={node.red.errorRate > 0 || undefined}
      transform={`translate(${at.x - NODE.width / 2},${at.y - NODE.height / 2})`}
      onClick={open}
    >
      <title>{`${name}: ${facts}`}</title>
      <rect width={NODE.width} height={NODE.height} rx={isService ? 4 : 20} />
      <text x={12} y={18} className={styles.name}>
        {name.length > NAME_CHARACTERS ? `${name.slice(0, NAME_CHARACTERS - 1)}…` : name}
      </text>
      <text x={12} y={35} className={styles.facts}>
        {isService ? facts : `${node.kind.toLowerCase()} · ${facts}`}
      </text>
    </g>
  )
}
