import { VirtualGrid, type VirtualGridProps } from './virtual-grid.js'
import styles from './sized-grid.module.css'

const ROW_HEIGHT = 28
const HEADER_ROWS = 1
const BORDER = 2

/** A grid that is as high as its rows, up to a share of the page. */
export function SizedGrid<Row>(props: VirtualGridProps<Row>): React.JSX.Element {
  const height = (props.rows.length + HEADER_ROWS) * ROW_HEIGHT + BORDER
  return (
    <div className={styles.grid} style={{ height }}>
      <VirtualGrid {...props} rowHeight={ROW_HEIGHT} />
    </div>
  )
}
