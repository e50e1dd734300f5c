import { useState } from 'react'
import { LogFieldNamesDocument } from '../api/generated/LogFieldNames.js'
import { useRequest } from '../api/use-request.js'
import { visibleText } from '../format/visible-text.js'
import { Menu, MenuCheck, MenuItem, MenuLabel, MenuSeparator } from '../ui/menu.js'
import { one } from '../url/search-codec.js'
import type { TimeWindow } from '../url/time-window.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { columnKeys, DEFAULT_COLUMNS } from './columns.js'

/** The most frequent fields; the detail of a record has those that are rarer. */
const MAX_FIELDS = 500

/** Chooses the columns of the list among the fields that records of the window have; the choice is in the address. */
export function ColumnsMenu({ window }: { readonly window: TimeWindow }): React.JSX.Element {
  const { search, change } = useAddress()
  const namespace = useNamespace()
  const [isOpened, setOpened] = useState(false)
  const variables = { range: window, contains: null, limit: MAX_FIELDS }
  const { data, error } = useRequest(LogFieldNamesDocument, variables, { namespace, enabled: isOpened })
  const shown = columnKeys(one(search, 'cols'))
  const fields = (data?.logFields ?? []).map(({ name }) => name.replace(/^log_fields\./, ''))
  const all = [...new Set([...shown, ...DEFAULT_COLUMNS, ...fields])]
  const set = (keys: readonly string[]): void => {
    const cols = keys.join(',')
    change({ cols: cols === DEFAULT_COLUMNS.join(',') ? null : cols })
  }
  return (
    <Menu label="Columns" onOpen={() => setOpened(true)}>
      {all.map(key => (
        <MenuCheck
          key={key}
          isChecked={shown.includes(key)}
          onChange={isChecked => set(isChecked ? [...shown, key] : shown.filter(one => one !== key))}
        >
          {visibleText(key)}
        </MenuCheck>
      ))}
      {error ? <MenuLabel>The fields could not be read.</MenuLabel> : !data && <MenuLabel>Loading…</MenuLabel>}
      {fields.length >= MAX_FIELDS && <MenuLabel>Rarer fields: in the detail of a record</MenuLabel>}
      <MenuSeparator />
      <MenuItem onSelect={() => set(DEFAULT_COLUMNS)}>Reset columns</MenuItem>
    </Menu>
  )
}
