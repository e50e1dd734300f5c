import { memo } from 'react'
import { formatDurationMs, plural } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { placed, type Section, type View } from './sections.js'
import type { TreeSpan } from './span-tree.js'
import styles from './waterfall.module.css'

const INDENT_PX = 12
/** Deeper spans keep this indentation, so that their names stay in view. */
const MAX_INDENTS = 16
/** A bar that ends further right has its duration on its left. */
const FLIPPED_FROM_PERCENT = 80

/** A span of the waterfall and how it is shown. All members keep their identity while the row stays the same. */
export interface SpanRowProps {
  readonly id: string
  readonly rowIndex: number
  readonly top: number
  readonly span: TreeSpan
  readonly traceMs: number
  readonly view: View
  readonly colour: string
  /** Sections in which none of its children runs. */
  readonly self: readonly Section[]
  /** Sections in which it determines the duration of the trace. */
  readonly critical: readonly Section[]
  readonly isFolded: boolean
  readonly isSelected: boolean
  readonly isActive: boolean
  readonly isMatch: boolean
  readonly onFold: (span: TreeSpan, isFolded: boolean) => void
  readonly onSelect: (span: TreeSpan) => void
}

/** One span: its place in the tree, its name, and its bar. */
export const SpanRow = memo(function SpanRow(props: SpanRowProps): React.JSX.Element {
  const { span, isFolded } = props
  const hasChildren = span.end > span.index + 1
  return (
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events -- the grid has the key events of its rows
    <div
      id={props.id}
      role="row"
      className={styles.row}
      aria-rowindex={props.rowIndex}
      aria-level={span.depth + 1}
      aria-selected={props.isSelected}
      aria-expanded={hasChildren ? !isFolded : undefined}
      data-active={props.isActive || undefined}
      data-match={props.isMatch || undefined}
      style={{ transform: `translateY(${props.top}px)`, '--service': props.colour } as React.CSSProperties}
      onClick={() => props.onSelect(span)}
    >
      <div role="gridcell" className={styles.name} style={{ paddingLeft: 8 + Math.min(span.depth, MAX_INDENTS) * INDENT_PX }}>
        {hasChildren ? (
          <button
            type="button"
            tabIndex={-1}
            className={styles.fold}
            aria-label={isFolded ? 'Expand' : 'Collapse'}
            onClick={event => {
              event.stopPropagation()
              props.onFold(span, !isFolded)
            }}
          >
            {isFolded ? '▸' : '▾'}
          </button>
        ) : (
          <span className={styles.fold} />
        )}
        {span.isError && (
          <span role="img" aria-label="Error" className={styles.error}>
            ⚠
          </span>
        )}
        <span className={styles.service}>{visibleText(span.service)}</span> {visibleText(span.operation)}
        {isFolded && <span className={styles.note}> {plural(span.end - span.index - 1, 'span')} folded</span>}
        {span.isParentMissing && <span className={styles.note}> (parent span not stored)</span>}
        {span.logCount > 0 && <span className={styles.note}> {plural(span.logCount, 'log')}</span>}
      </div>
      <div
        role="gridcell"
        className={styles.track}
        aria-label={`${formatDurationMs(span.durationMs)}, starts at ${formatDurationMs(span.startMs)}`}
      >
        <Bar {...props} />
      </div>
    </div>
  )
})

/** The bar: pale where children run, dark where the span itself does, underlined on the critical path. */
function Bar({ span, traceMs, view, self, critical }: SpanRowProps): React.JSX.Element {
  const bar = placed({ startMs: span.startMs, endMs: span.startMs + span.durationMs }, traceMs, view)
  if (!bar) return <span className={styles.elsewhere}>{span.startMs / (traceMs || 1) < view.from ? '◂' : '▸'}</span>
  const end = bar.left + bar.width
  const label = end > FLIPPED_FROM_PERCENT ? { right: `calc(${100 - bar.left}% + 4px)` } : { left: `calc(${end}% + 4px)` }
  const isFull = bar.left < 100 - FLIPPED_FROM_PERCENT && end > FLIPPED_FROM_PERCENT
  const parts = (sections: readonly Section[], className: string | undefined): React.ReactNode =>
    sections.map(section => {
      const part = placed(section, traceMs, view)
      return (
        part && <span key={section.startMs} className={className} style={{ left: `${part.left}%`, width: `${part.width}%` }} />
      )
    })
  return (
    <>
      <span className={styles.bar} style={{ left: `${bar.left}%`, width: `${bar.width}%` }} />
      {parts(self, styles.self)}
      {parts(critical, styles.critical)}
      <span className={styles.duration} data-inside={isFull || undefined} style={isFull ? { left: 6 } : label}>
        {formatDurationMs(span.durationMs)}
      </span>
    </>
  )
}
