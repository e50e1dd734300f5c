import { useMemo, useState } from 'react'
import { formatCount, formatDurationMs } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { type Column, VirtualGrid } from '../tables/virtual-grid.js'
import { type OperationTotals, operationsOf } from './operations.js'
import styles from './page.module.css'
import type { TreeSpan } from './span-tree.js'

const ORDERS = {
  selfMs: 'most self time',
  totalMs: 'most total time',
  meanMs: 'longest mean',
  maxMs: 'longest span',
  spans: 'most spans',
  errors: 'most errors'
} as const
type Order = keyof typeof ORDERS

const COLUMNS: readonly Column<OperationTotals>[] = [
  {
    key: 'operation',
    header: 'Service · operation',
    width: 'minmax(280px, 1fr)',
    render: ({ service, operation }) => (
      <>
        <strong>{visibleText(service)}</strong> {visibleText(operation)}
      </>
    )
  },
  { key: 'spans', header: 'Spans', width: '80px', isNumeric: true, render: ({ spans }) => formatCount(spans) },
  {
    key: 'errors',
    header: 'Errors',
    width: '80px',
    isNumeric: true,
    render: ({ errors }) => (errors === 0 ? '' : <span className={styles.errors}>{formatCount(errors)}</span>)
  },
  ...(['selfMs', 'totalMs', 'meanMs', 'maxMs'] as const).map((key, index): Column<OperationTotals> => ({
    key,
    header: ['Self time', 'Total', 'Mean', 'Longest'][index],
    width: '100px',
    isNumeric: true,
    render: row => formatDurationMs(row[key])
  }))
]

/** The operations of a trace; opening one selects its longest span. */
export function OperationsPanel(props: {
  readonly tree: readonly TreeSpan[]
  readonly onOpen: (spanId: string) => void
}): React.JSX.Element {
  const { tree, onOpen } = props
  const [order, setOrder] = useState<Order>('selfMs')
  const operations = useMemo(() => operationsOf(tree), [tree])
  const rows = useMemo(() => operations.toSorted((a, b) => b[order] - a[order]), [operations, order])
  return (
    <>
      <p className={styles.bar}>
        <label>
          Sort{' '}
          <select value={order} onChange={event => setOrder(event.target.value as Order)}>
            {Object.entries(ORDERS).map(([key, name]) => (
              <option key={key} value={key}>
                {name}
              </option>
            ))}
          </select>
        </label>{' '}
        Enter or a click selects the longest span of an operation.
      </p>
      <div className={styles.list}>
        <VirtualGrid
          label="Operations"
          columns={COLUMNS}
          rows={rows}
          total={rows.length}
          rowKey={({ service, operation }) => `${service}\u0000${operation}`}
          selectedKey={null}
          onOpen={row => onOpen(row.longestSpanId)}
        />
      </div>
    </>
  )
}
