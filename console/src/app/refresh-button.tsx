import { Button, buttonClass } from '../ui/button.js'
import { one } from '../url/search-codec.js'
import { useAddress } from '../url/use-address.js'
import { useRefresh } from '../url/use-refresh.js'
import { REFRESH_INTERVALS } from '../url/use-window.js'
import styles from './frame.module.css'
import { useShortcuts } from './use-shortcuts.js'

/** Reads everything on the page again; relative windows move to the present. */
export function RefreshButton(): React.JSX.Element {
  const refresh = useRefresh()
  const { search, change } = useAddress()
  useShortcuts({ r: () => void refresh() })
  return (
    <span className={styles.pair}>
      <Button aria-label="Refresh" title="Refresh" onClick={() => void refresh()}>
        ⟳
      </Button>
      <select
        className={buttonClass()}
        aria-label="Refresh interval"
        value={one(search, 'refresh') ?? ''}
        onChange={event => change({ refresh: event.currentTarget.value }, { replace: true })}
      >
        <option value="">Off</option>
        {REFRESH_INTERVALS.map(interval => (
          <option key={interval}>{interval}</option>
        ))}
      </select>
    </span>
  )
}
