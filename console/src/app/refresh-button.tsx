import { useIsFetching } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useApi } from '../api/context.js'
import { Button, buttonClass } from '../ui/button.js'
import { one } from '../url/search-codec.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { useMoveWindow, useRefresh, useRefreshEvery } from '../url/use-refresh.js'
import { REFRESH_INTERVALS, refreshMs } from '../url/use-window.js'
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

/**
 * Reads everything on the page again; relative windows move to the present. While that takes long, a second button cancels
 * it. Its place is always free: nothing moves under the pointer. Pages with a window can move it at an interval.
 */
export function RefreshButton({ hasInterval }: { readonly hasInterval: boolean }): React.JSX.Element {
  const api = useApi()
  const refresh = useRefresh()
  const { search, change } = useAddress()
  const interval = one(search, 'refresh')
  const isSlow = useIsSlow()
  const refreshButton = useRef<HTMLButtonElement>(null)
  const cancel = (): void => {
    api.cancelReads()
    // The button that has the focus goes.
    refreshButton.current?.focus()
  }
  useShortcuts({ r: () => void refresh() })
  useRefreshEvery(hasInterval ? refreshMs(interval) : null, useMoveWindow())
  return (
    <span className={styles.pair}>
      <Button kind="plain" hidden={!isSlow} aria-label="Cancel" title="Cancel" onClick={cancel}>
        ✕
      </Button>
      <Button ref={refreshButton} aria-label="Refresh" title="Refresh (r)" onClick={() => void refresh()}>
        ⟳
      </Button>
      {hasInterval && (
        <select
          className={buttonClass()}
          aria-label="Refresh interval"
          value={interval ?? ''}
          onChange={event => change({ refresh: event.currentTarget.value }, { replace: true })}
        >
          <option value="">Off</option>
          {REFRESH_INTERVALS.map(choice => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      )}
    </span>
  )
}
