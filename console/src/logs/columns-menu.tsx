import { LogFieldNamesDocument } from '../api/generated/LogFieldNames.js'
import { useAsk } from '../api/use-ask.js'
import { Menu, MenuCheck, MenuItem, MenuSeparator } from '../ui/menu.js'
import { one } from '../url/search-codec.js'
import type { TimeWindow } from '../url/time-window.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { columnKeys, DEFAULT_COLUMNS } from './columns.js'

/** Chooses the columns of the list among the fields that records of the window have; the choice is in the address. */
export function ColumnsMenu({ window }: { readonly window: TimeWindow }): React.JSX.Element {
  const { search, change } = useAddress()
  const namespace = useNamespace()
  const { data } = useAsk(LogFieldNamesDocument, { range: window, contains: null }, { namespace })
  const shown = columnKeys(one(search, 'cols'))
  const fields = (data?.logFields ?? []).map(({ name }) => name.replace(/^log_fields\./, ''))
  const all = [...new Set([...shown, ...DEFAULT_COLUMNS, ...fields])]
  const set = (keys: readonly string[]): void => {
    const cols = keys.join(',')
    change({ cols: cols === DEFAULT_COLUMNS.join(',') ? null : cols })
  }
  return (
    <Menu label="Columns">
      {all.map(key => (
        <MenuCheck
          key={key}
          isChecked={shown.includes(key)}
          onChange={isChecked => set(isChecked ? [...shown, key] : shown.filter(one => one !== key))}
        >
          {key}
        </MenuCheck>
      ))}
      <MenuSeparator />
      <MenuItem onSelect={() => set(DEFAULT_COLUMNS)}>Reset columns</MenuItem>
    </Menu>
  )
}
