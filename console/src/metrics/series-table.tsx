import { formatSample } from '../format/measured.js'
import { visibleText } from '../format/visible-text.js'
import { type Column, VirtualGrid } from '../tables/virtual-grid.js'
import styles from './page.module.css'
import type { NamedLine } from './named-lines.js'

const ROW_HEIGHT = 28
const HEADER_ROWS = 1
const BORDER = 2

function value(of: (line: NamedLine) => number | null | undefined): (line: NamedLine) => string {
  return line => {
    const found = of(line)
    return found == null ? '–' : formatSample(found)
  }
}

const COLUMNS: readonly Column<NamedLine>[] = [
  { key: 'last', header: 'Last', width: '90px', isNumeric: true, render: value(({ last }) => last) },
  { key: 'min', header: 'Min', width: '90px', isNumeric: true, render: value(({ min }) => min) },
  { key: 'avg', header: 'Avg', width: '90px', isNumeric: true, render: value(({ avg }) => avg) },
  { key: 'max', header: 'Max', width: '90px', isNumeric: true, render: value(({ max }) => max) },
  { key: 'series', header: 'Series', width: 'minmax(240px, 1fr)', render: ({ name }) => visibleText(name) }
]

/** Series with their last, least, mean and greatest value; opening one draws it alone. */
export function SeriesTable(props: {
  readonly series: readonly NamedLine[]
  readonly only: string | null
  readonly onOnly: (key: string | null) => void
}): React.JSX.Element {
  const { series, only, onOnly } = props
  return (
    <div className={styles.series} style={{ height: (series.length + HEADER_ROWS) * ROW_HEIGHT + BORDER }}>
      <VirtualGrid
        label="Series"
        columns={COLUMNS}
        rows={series}
        total={series.length}
        rowKey={({ key }) => key}
        selectedKey={only}
        onOpen={({ key }) => onOnly(key === only ? null : key)}
        rowHeight={ROW_HEIGHT}
      />
    </div>
  )
}
