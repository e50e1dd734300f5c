import type { ReactNode } from 'react'
import styles from './facts-table.module.css'

/** A column of a table. The first column is the header of its row. */
export interface FactColumn<Row> {
  readonly header: string
  readonly isNumeric?: boolean
  readonly render: (row: Row) => ReactNode
}

/** A short table whose rows are all in the page; `VirtualGrid` is for long lists and for rows that open something. */
export function FactsTable<Row>(props: {
  readonly label: string
  readonly columns: readonly FactColumn<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
}): React.JSX.Element {
  const { label, columns, rows, rowKey } = props
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a wide table scrolls, also by keyboard
    <div className={styles.scroller} tabIndex={0} role="region" aria-label={label}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ header, isNumeric }) => (
              <th key={header} scope="col" className={isNumeric ? styles.number : undefined}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={rowKey(row)}>
              {columns.map(({ header, isNumeric, render }, index) =>
                index === 0 ? (
                  <th key={header} scope="row">
                    {render(row)}
                  </th>
                ) : (
                  <td key={header} className={isNumeric ? styles.number : undefined}>
                    {render(row)}
                  </td>
                )
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
