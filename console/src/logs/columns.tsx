import type { InstantFormat } from '../format/instant.js'
import { visibleText } from '../format/visible-text.js'
import { timeColumn } from '../tables/time-column.js'
import type { Column } from '../tables/virtual-grid.js'
import { LevelMark } from '../ui/level-mark.js'
import { fieldText } from './record-fields.js'
import type { LogRow } from './use-log-search.js'

/** Columns of an address without `cols`. */
export const DEFAULT_COLUMNS: readonly string[] = ['time', 'level', 'service', 'message']

/** Longer values are cut in the list; the detail has them whole. */
const CELL_CHARACTERS = 400
const MAX_COLUMNS = 30

/** The columns of the key `cols`: at most 30, each once; the default ones when it names none. */
export function columnKeys(cols: string | null): readonly string[] {
  const keys = [...new Set((cols ?? '').split(',').filter(Boolean))].slice(0, MAX_COLUMNS)
  return keys.length === 0 ? DEFAULT_COLUMNS : keys
}

function cell(text: string): string {
  return visibleText(text.slice(0, CELL_CHARACTERS))
}

/** What the columns depend on. */
export interface LogColumnContext {
  readonly format: InstantFormat
  /** Whether a record is of another day. */
  readonly hasDates: boolean
  readonly order: 'ascending' | 'descending'
}

/** The column of a key: `time`, `level`, `message`, or the path of any other field. */
export function columnOf(key: string, { format, hasDates, order }: LogColumnContext): Column<LogRow> {
  if (key === 'time')
    return {
      key,
      ...timeColumn('Time', format.zoneName, hasDates),
      sorted: order,
      render: row => <Time row={row} format={format} />
    }
  if (key === 'level') return { key, header: 'Level', width: '72px', render: ({ level }) => <LevelMark level={level} /> }
  if (key === 'message') return { key, header: 'Message', width: 'minmax(200px, 1fr)', render: ({ message }) => cell(message) }
  const header = visibleText(key.charAt(0).toUpperCase() + key.slice(1))
  return { key, header, width: '128px', render: row => cell(fieldText(row, key)) }
}

function Time({ row: { timestamp }, format }: { readonly row: LogRow; readonly format: InstantFormat }): React.JSX.Element {
  return (
    <time dateTime={timestamp} title={`${format.full(timestamp)} ${format.zoneName}; ${timestamp}`}>
      {format.time(timestamp)}
    </time>
  )
}
