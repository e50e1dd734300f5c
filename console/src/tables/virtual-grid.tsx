import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, memo, type ReactNode, useCallback, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import styles from './virtual-grid.module.css'

/** A column of a grid. `width` is a CSS track size, for example `120px` or `minmax(200px, 1fr)`. */
export interface Column<Row> {
  readonly key: string
  readonly header: ReactNode
  readonly width: string
  readonly isNumeric?: boolean
  /** Order of the rows by this column; absent when they are not sorted by it. */
  readonly sorted?: 'ascending' | 'descending' | undefined
  readonly render: (row: Row) => ReactNode
}

/** A grid of rows of which only the visible ones are in the page. */
export interface VirtualGridProps<Row> {
  /** Accessible name. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  /** Number of rows that exist, loaded or not; null when not known. */
  readonly total: number | null
  readonly rowKey: (row: Row) => string
  readonly selectedKey: string | null
  /** Row that is in view at first; a new value moves the view once. */
  readonly anchorKey?: string | null
  readonly onOpen: (row: Row) => void
  /** Called when the last loaded rows come into view. */
  readonly onEnd?: () => void
  readonly rowHeight?: number
  /** Cells break into as many lines as a row of `rowHeight` has. */
  readonly isWrapped?: boolean
  /** For rows that are added at the end. */
  readonly end?: EndOfGrid
}

/** Keeps the last row in view. */
export interface EndOfGrid {
  readonly isFollowed: boolean
  /** Called when a person scrolls away from the last row, and back to it. */
  readonly onLeave: () => void
  readonly onReach: () => void
}

const ROW_HEIGHT = 28
const HEADER_ROWS = 1
const OVERSCAN = 12
const ROWS_BEFORE_END = 50
/** Scroll positions are rounded. */
const END_PX = 2

/** Index that a key moves to; null for keys that do not move. */
function moved(key: string, index: number, pageRows: number, last: number): number | null {
  const to: Readonly<Record<string, number>> = {
    ArrowDown: index + 1,
    j: index + 1,
    ArrowUp: index - 1,
    k: index - 1,
    PageDown: index + pageRows,
    PageUp: index - pageRows,
    Home: 0,
    End: last
  }
  return Object.hasOwn(to, key) ? Math.max(0, Math.min(last, to[key]!)) : null
}

/** Calls `show` with the index of a row once the row is loaded, once for each `anchorKey`. */
function useAnchor<Row>(
  rows: readonly Row[],
  rowKey: (row: Row) => string,
  anchorKey: string | null,
  show: (index: number) => void
): void {
  const shown = useRef<string | null>(null)
  const searched = useRef<readonly Row[] | null>(null)
  useEffect(() => {
    if (anchorKey === null || shown.current === anchorKey || searched.current === rows) return
    searched.current = rows
    const index = rows.findIndex(row => rowKey(row) === anchorKey)
    if (index < 0) return
    shown.current = anchorKey
    show(index)
  })
}

/** Calls `move` with the number of rows that were added in front of the former first row. */
function useSteadyView<Row>(rows: readonly Row[], rowKey: (row: Row) => string, move: (count: number) => void): void {
  const former = useRef<{ readonly first: string; readonly length: number } | null>(null)
  useLayoutEffect(() => {
    const { first, length } = former.current ?? { first: null, length: 0 }
    former.current = rows.length > 0 ? { first: rowKey(rows[0]!), length: rows.length } : null
    const added = rows.length - length
    if (first !== null && added > 0 && rowKey(rows[0]!) !== first && rowKey(rows[added]!) === first) move(added)
  }, [rows, rowKey, move])
}

/** Scrolls to the last row when rows are added; returns what to do when the grid is scrolled. */
function useEnd(scroller: React.RefObject<HTMLElement | null>, rows: readonly unknown[], end: EndOfGrid | undefined): () => void {
  const isFollowed = end?.isFollowed ?? false
  useLayoutEffect(() => {
    if (isFollowed && rows.length > 0) scroller.current?.scrollTo({ top: scroller.current.scrollHeight })
  }, [scroller, rows, isFollowed])
  return () => {
    if (!end || !scroller.current) return
    const { scrollHeight, scrollTop, clientHeight } = scroller.current
    const belowPx = scrollHeight - scrollTop - clientHeight
    if (end.isFollowed && belowPx > ROW_HEIGHT) end.onLeave()
    if (!end.isFollowed && belowPx <= END_PX) end.onReach()
  }
}

/**
 * One tab stop: arrows, `j` and `k`, Home, End, PageUp and PageDown move the active row, Enter opens it. The focus stays
 * on the grid, which names the active row by `aria-activedescendant`, so that rows may leave the page while it scrolls.
 */
export function VirtualGrid<Row>(props: VirtualGridProps<Row>): React.JSX.Element {
  const { label, columns, rows, total, rowKey, selectedKey, anchorKey = null, onOpen, onEnd } = props
  const { rowHeight = ROW_HEIGHT, isWrapped = false, end } = props
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState(0)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    scrollPaddingStart: rowHeight
  })
  const onScroll = useEnd(scroller, rows, end)
  const items = virtualizer.getVirtualItems()
  const lastVisible = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (rows.length > 0 && lastVisible >= rows.length - ROWS_BEFORE_END) onEnd?.()
  }, [lastVisible, rows.length, onEnd])
  const show = (index: number): void => {
    setActive(index)
    virtualizer.scrollToIndex(index, { align: 'center' })
  }
  useAnchor(rows, rowKey, anchorKey, show)
  useSteadyView(rows, rowKey, count => {
    // Who is at the top of a list stays there.
    if (active === 0 && scroller.current?.scrollTop === 0) return
    setActive(active + count)
    if (scroller.current) scroller.current.scrollTop += count * rowHeight
  })
  const activeIndex = Math.min(active, Math.max(0, rows.length - 1))
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return
    const pageRows = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2)
    const next = moved(event.key, activeIndex, pageRows, rows.length - 1)
    if (next !== null) {
      setActive(next)
      virtualizer.scrollToIndex(next)
    } else if (event.key === 'Enter' && rows[activeIndex]) onOpen(rows[activeIndex])
    else return
    event.preventDefault()
  }
  const open = useCallback(
    (row: Row, index: number) => {
      setActive(index)
      onOpen(row)
    },
    [onOpen]
  )
  return (
    <div
      ref={scroller}
      className={styles.grid}
      role="grid"
      aria-label={label}
      aria-rowcount={total === null ? -1 : total + HEADER_ROWS}
      aria-activedescendant={items.some(({ index }) => index === activeIndex) ? `${id}-${activeIndex}` : undefined}
      data-wrapped={isWrapped || undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onScroll={onScroll}
    >
      <div className={styles.sheet} role="presentation">
        <Header columns={columns} height={Math.min(rowHeight, ROW_HEIGHT)} />
        <div className={styles.body} role="presentation" style={{ height: virtualizer.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const row = rows[index]!
            return (
              <GridRow
                key={rowKey(row)}
                id={`${id}-${index}`}
                row={row}
                index={index}
                top={start}
                height={rowHeight}
                columns={columns}
                isSelected={rowKey(row) === selectedKey}
                isActive={index === activeIndex}
                onOpen={open}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}

function Header<Row>(props: { readonly columns: readonly Column<Row>[]; readonly height: number }): React.JSX.Element {
  const { columns, height } = props
  return (
    <div
      className={styles.header}
      role="row"
      aria-rowindex={1}
      style={{ gridTemplateColumns: tracksOf(columns), height: height }}
    >
      {columns.map(({ key, header, isNumeric = false, sorted }) => (
        <div
          key={key}
          role="columnheader"
          aria-sort={sorted}
          className={isNumeric ? styles.number : styles.cell}
          title={typeof header === 'string' ? header : undefined}
        >
          {header}
        </div>
      ))}
    </div>
  )
}

/** CSS tracks of the columns. */
function tracksOf<Row>(columns: readonly Column<Row>[]): string {
  return columns.map(({ width }) => width).join(' ')
}

interface GridRowProps<Row> {
  readonly id: string
  readonly row: Row
  /** Position among the loaded rows, from 0. */
  readonly index: number
  /** Pixels from the first row. */
  readonly top: number
  readonly height: number
  readonly columns: readonly Column<Row>[]
  readonly isSelected: boolean
  readonly isActive: boolean
  readonly onOpen: (row: Row, index: number) => void
}

function PlainGridRow<Row>(props: GridRowProps<Row>): React.JSX.Element {
  const { id, row, index, top, height, columns, isSelected, isActive, onOpen } = props
  return (
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events -- the grid has the key events of its rows
    <div
      id={id}
      role="row"
      className={styles.row}
      aria-rowindex={index + 1 + HEADER_ROWS}
      aria-selected={isSelected}
      data-active={isActive || undefined}
      style={{ gridTemplateColumns: tracksOf(columns), height, transform: `translateY(${top}px)` }}
      onClick={() => onOpen(row, index)}
    >
      {columns.map(({ key, isNumeric = false, render }) => (
        <div key={key} role="gridcell" className={isNumeric ? styles.number : styles.cell}>
          {render(row)}
        </div>
      ))}
    </div>
  )
}

/** Rendered again only when something of the row changes, not with each step of a scroll. */
const GridRow = memo(PlainGridRow) as typeof PlainGridRow
