import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react'
import { formatDurationMs } from '../format/number.js'
import type { Folding } from './folding.js'
import { joined, type Section, selfSections, type View } from './sections.js'
import { SpanRow } from './span-row.js'
import { type TreeSpan, visibleSpans } from './span-tree.js'
import styles from './waterfall.module.css'

/** A trace, the part of it that is shown, and which span of it is selected. */
export interface WaterfallProps {
  readonly tree: readonly TreeSpan[]
  readonly colours: ReadonlyMap<string, string>
  readonly durationMs: number
  readonly view: View
  /** Sections in which a span determines the duration of the trace, by index. */
  readonly critical: ReadonlyMap<number, readonly Section[]>
  readonly folding: Folding
  readonly selected: string | null
  /** Indices of the spans that were searched for. */
  readonly matches: ReadonlySet<number>
  readonly onSelect: (spanId: string) => void
}

const ROW_HEIGHT = 28
const OVERSCAN = 12
const PAGE_ROWS = 20
/** A selected row closer to the lower edge is moved: the header covers one row, and a detail that opens makes the grid smaller. */
const MARGIN_ROWS = 4
/** Gaps below this share of the view are not drawn: they are thinner than a pixel. */
const GAP_SHARE = 1 / 800
const AXIS_SHARES = [0, 0.25, 0.5, 0.75]
const NONE: readonly Section[] = []

/** Sections of a span as its row shows them; computed once per span and view. */
function useSections({ tree, durationMs, view, critical }: WaterfallProps): {
  readonly selfOf: (span: TreeSpan) => readonly Section[]
  readonly criticalOf: (span: TreeSpan) => readonly Section[]
} {
  const gapMs = (view.to - view.from) * durationMs * GAP_SHARE
  return useMemo(() => {
    const once = (compute: (span: TreeSpan) => readonly Section[]) => {
      const known = new Map<number, readonly Section[]>()
      return (span: TreeSpan): readonly Section[] => {
        const sections = known.get(span.index) ?? compute(span)
        known.set(span.index, sections)
        return sections
      }
    }
    return {
      selfOf: once(span => selfSections(tree, span, gapMs)),
      criticalOf: once(span => joined(critical.get(span.index) ?? NONE, gapMs))
    }
  }, [tree, gapMs, critical])
}

/** Spans as a tree next to their bars on the time axis. Left and right fold, up and down move, Enter selects. */
export function Waterfall(props: WaterfallProps): React.JSX.Element {
  const { tree, colours, durationMs, view, folding, selected, matches, onSelect } = props
  const { folded, fold } = folding
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useMemo(() => visibleSpans(tree, folded), [tree, folded])
  const selectedRow = useMemo(() => rows.findIndex(({ spanId }) => spanId === selected), [rows, selected])
  const { selfOf, criticalOf } = useSections(props)
  const [active, setActive] = useState(Math.max(0, selectedRow))
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    scrollPaddingStart: ROW_HEIGHT
  })
  useEffect(() => {
    if (selectedRow < 0) return
    setActive(selectedRow)
    const { scrollTop = 0, clientHeight = 0 } = scroller.current ?? {}
    const top = selectedRow * ROW_HEIGHT
    const isInView = top >= scrollTop && top + MARGIN_ROWS * ROW_HEIGHT <= scrollTop + clientHeight
    if (!isInView) virtualizer.scrollToIndex(selectedRow, { align: 'center' })
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only a new selection scrolls, not a fold
  }, [selected])
  const activeRow = Math.max(0, Math.min(active, rows.length - 1))
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const span = rows[activeRow]
    const next = span && keyTarget(event.key, activeRow, rows, folded)
    if (next !== undefined && next !== null) {
      setActive(next)
      virtualizer.scrollToIndex(next)
    } else if (span && event.key === 'Enter') onSelect(span.spanId)
    else if (span && event.key === 'ArrowRight' && span.end > span.index + 1) fold(span, false)
    else if (span && event.key === 'ArrowLeft' && span.end > span.index + 1) fold(span, true)
    else return
    event.preventDefault()
  }
  const select = useCallback(
    (span: TreeSpan) => {
      setActive(rows.indexOf(span))
      onSelect(span.spanId)
    },
    [rows, onSelect]
  )
  return (
    <div
      ref={scroller}
      className={styles.grid}
      role="treegrid"
      aria-label="Spans"
      aria-rowcount={rows.length + 1}
      aria-activedescendant={rows.length > 0 ? `${id}-${activeRow}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <Header view={view} durationMs={durationMs} />
      <div className={styles.body} role="presentation" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const span = rows[index]!
          return (
            <SpanRow
              key={span.spanId}
              id={`${id}-${index}`}
              rowIndex={index + 2}
              top={start}
              span={span}
              traceMs={durationMs}
              view={view}
              colour={colours.get(span.service) ?? 'var(--muted)'}
              self={selfOf(span)}
              critical={criticalOf(span)}
              isFolded={folded.has(span.spanId)}
              isSelected={span.spanId === selected}
              isActive={index === activeRow}
              isMatch={matches.has(span.index)}
              onFold={fold}
              onSelect={select}
            />
          )
        })}
      </div>
    </div>
  )
}

function Header({ view, durationMs }: Pick<WaterfallProps, 'view' | 'durationMs'>): React.JSX.Element {
  return (
    <div className={`${styles.row} ${styles.header}`} role="row" aria-rowindex={1}>
      <div role="columnheader" className={styles.name}>
        Service · operation
      </div>
      <div role="columnheader" className={styles.axis}>
        {AXIS_SHARES.map(share => (
          <span key={share}>{formatDurationMs((view.from + share * (view.to - view.from)) * durationMs)}</span>
        ))}
      </div>
    </div>
  )
}

/** Row that a key moves to; null for keys that do not move from here. */
function keyTarget(key: string, at: number, rows: readonly TreeSpan[], folded: ReadonlySet<string>): number | null {
  const last = rows.length - 1
  const within = (index: number): number => Math.max(0, Math.min(last, index))
  const span = rows[at]!
  const isLeaf = span.end === span.index + 1
  if (key === 'ArrowDown' || key === 'j') return within(at + 1)
  if (key === 'ArrowUp' || key === 'k') return within(at - 1)
  if (key === 'Home') return 0
  if (key === 'End') return last
  if (key === 'PageDown' || key === 'PageUp') return within(at + (key === 'PageDown' ? PAGE_ROWS : -PAGE_ROWS))
  if (key === 'ArrowLeft' && (isLeaf || folded.has(span.spanId)) && span.parent !== null)
    return rows.findIndex(({ index }) => index === span.parent)
  if (key === 'ArrowRight' && !isLeaf && !folded.has(span.spanId)) return within(at + 1)
  return null
}
