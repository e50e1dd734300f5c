import { type KeyboardEvent, useId, useMemo, useState } from 'react'
import { formatDurationMs, plural } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { Button } from '../ui/button.js'
import { Empty } from '../ui/states.js'
import { type FlameNode, flameNodes } from './flame.js'
import { flameTarget, flameView } from './flame-view.js'
import styles from './flame-panel.module.css'
import type { TreeSpan } from './span-tree.js'

const ROW_HEIGHT = 24

/** A trace, and what happens to a span that is chosen. */
export interface FlamePanelProps {
  readonly tree: readonly TreeSpan[]
  readonly colours: ReadonlyMap<string, string>
  readonly onOpen: (spanId: string) => void
}

function described(node: FlameNode, totalMs: number): string {
  const share = totalMs > 0 ? `, ${((node.value / totalMs) * 100).toPrecision(3)} %` : ''
  const errors = node.errors > 0 ? `, ${plural(node.errors, 'error')}` : ''
  const times = `${formatDurationMs(node.value)} with callees, self time ${formatDurationMs(node.selfMs)}${share}`
  return `${visibleText(node.service)} · ${visibleText(node.operation)}: ${plural(node.spans, 'span')}${errors}, ${times}`
}

/** Self time by call path. Arrow keys move, Enter and a click zoom, Escape zooms out. */
export function FlamePanel({ tree, colours, onOpen }: FlamePanelProps): React.JSX.Element {
  const id = useId()
  const nodes = useMemo(() => flameNodes(tree), [tree])
  const [focus, setFocus] = useState<FlameNode | null>(null)
  const [active, setActive] = useState(0)
  const view = useMemo(() => flameView(nodes, focus), [nodes, focus])
  const totalMs = useMemo(() => tree.reduce((sum, { selfMs }) => sum + (selfMs ?? 0), 0), [tree])
  const current = nodes[active] ?? nodes[0]
  const zoom = (node: FlameNode | null): void => {
    setFocus(node)
    if (node) setActive(node.index)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || !current) return
    const target = flameTarget(event.key, view.boxes, current)
    if (target) setActive(target.index)
    else if (event.key === 'Enter') zoom(current)
    else if (event.key === 'Escape' && focus) zoom(null)
    else return
    event.preventDefault()
  }
  if (totalMs === 0 || !current)
    return (
      <Empty title="No span of this trace has self time">
        <p>The flame graph adds up the time in which spans run and none of their children do.</p>
      </Empty>
    )
  return (
    <div className={styles.panel}>
      <p className={styles.current}>
        <span role="status">{described(current, totalMs)}</span>{' '}
        <Button onClick={() => onOpen(current.spanId)}>Select the longest span</Button>
        {focus && <Button onClick={() => zoom(null)}>Zoom out</Button>}
      </p>
      <div className={styles.scroller}>
        <div
          className={styles.flame}
          role="tree"
          aria-label="Flame graph"
          tabIndex={0}
          aria-activedescendant={`${id}-${current.index}`}
          style={{ height: view.rows * ROW_HEIGHT }}
          onKeyDown={onKeyDown}
        >
          {view.boxes.map(({ node, left, width }) => (
            // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the tree has the focus and the keys of its items
            <div
              key={node.index}
              id={`${id}-${node.index}`}
              role="treeitem"
              aria-level={node.depth + 1}
              aria-selected={node.index === current.index}
              aria-label={described(node, totalMs)}
              title={described(node, totalMs)}
              className={styles.box}
              data-errors={node.errors > 0 || undefined}
              style={
                {
                  left: `${left * 100}%`,
                  width: `${width * 100}%`,
                  top: node.depth * ROW_HEIGHT,
                  '--service': colours.get(node.service) ?? 'var(--muted)'
                } as React.CSSProperties
              }
              onClick={() => zoom(node)}
            >
              <span aria-hidden="true">{visibleText(node.operation)}</span>
            </div>
          ))}
        </div>
      </div>
      {view.hidden > 0 && (
        <p className={styles.current}>{plural(view.hidden, 'path')} too narrow or too deep to draw: zoom to see more.</p>
      )}
    </div>
  )
}
