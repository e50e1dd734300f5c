import { useMemo, useState } from 'react'
import { useInstantFormat } from '../app/use-instant-format.js'
import { haveDates } from '../tables/time-column.js'
import { type EndOfGrid, VirtualGrid } from '../tables/virtual-grid.js'
import layout from '../ui/page-layout.module.css'
import { one } from '../url/search-codec.js'
import { useAddress } from '../url/use-address.js'
import { columnKeys, columnOf } from './columns.js'
import type { LogRow } from './use-log-search.js'

/** Key of the address: `1` breaks long messages into lines. */
export const WRAP_KEY = 'wrap'

const ROW_PX = 28
/** Three lines of text. */
const WRAPPED_ROW_PX = 62

/** Log records in a grid. */
export function LogList(props: {
  /** In the order of their times: latest first, or last with `end`. */
  readonly rows: readonly LogRow[]
  readonly total: { readonly value: number; readonly exact: boolean } | null
  /** Id of the record around which the list opens. */
  readonly at: string | null
  readonly selected: string | null
  readonly onOpen: (row: LogRow) => void
  readonly onEnd?: () => void
  /** For a list that grows at its end. */
  readonly end?: EndOfGrid
}): React.JSX.Element {
  const { search } = useAddress()
  const format = useInstantFormat()
  const cols = one(search, 'cols')
  const isWrapped = one(search, WRAP_KEY) === '1'
  // The record of a link is in view; one that is opened later already is.
  const [atFirst] = useState(props.selected)
  const ends = [props.rows[0], props.rows.at(-1)].flatMap(row => (row ? [row.timestamp] : []))
  const hasDates = haveDates(format, ends)
  const order = props.end ? 'ascending' : 'descending'
  const columns = useMemo(
    () => columnKeys(cols).map(key => columnOf(key, { format, hasDates, order })),
    [cols, format, hasDates, order]
  )
  return (
    <div className={layout.list}>
      <VirtualGrid
        // Rows of another height are another list.
        key={String(isWrapped)}
        label="Logs"
        isWrapped={isWrapped}
        rowHeight={isWrapped ? WRAPPED_ROW_PX : ROW_PX}
        columns={columns}
        rows={props.rows}
        total={props.total?.exact ? props.total.value : null}
        rowKey={row => row.id}
        selectedKey={props.selected}
        anchorKey={props.end ? null : (props.at ?? atFirst)}
        onOpen={props.onOpen}
        {...(props.onEnd && { onEnd: props.onEnd })}
        {...(props.end && { end: props.end })}
      />
    </div>
  )
}
