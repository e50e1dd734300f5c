import { useIsFetching } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useApi } from '../api/context.js'
import { Button, buttonClass } from '../ui/button.js'
import { one } from '../url/search-codec.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { useRefresh } from '../url/use-refresh.js'
import { REFRESH_INTERVALS } from '../url/use-window.js'
import styles from './frame.module.css'
import { useShortcuts } from './use-shortcuts.js'

/** A page that reads for longer can be cancelled. */
const SLOW_MS = 1_000

/** Whether something of the page has been loading without a pause for a second. */
function useIsSlow(): boolean {
  const isReading = useIsFetching({ queryKey: [useNamespace()] }) > 0
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    if (!isReading) return undefined
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [isReading])
  return isSlow
}

/** Reads everything on the page again, and cancels that while it takes long; relative windows move to the present. */
export function RefreshButton(): React.JSX.Element {
  const api = useApi()
  const refresh = useRefresh()
  const { search, change } = useAddress()
  const isSlow = useIsSlow()
  useShortcuts({ r: () => void refresh() })
  const name = isSlow ? 'Cancel' : 'Refresh'
  return (
    <span className={styles.pair}>
      <Button aria-label={name} title={name} onClick={() => (isSlow ? api.cancelReads() : void refresh())}>
        {isSlow ? '✕' : '⟳'}
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
