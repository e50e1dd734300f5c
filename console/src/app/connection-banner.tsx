import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { ConnectionMonitor } from '../api/connection.js'
import { formatDurationMs } from '../format/number.js'
import { Button } from '../ui/button.js'
import styles from './connection-banner.module.css'

const TICK_MS = 1_000

/** States that the service does not respond and for how long the shown results are not current. */
export function ConnectionBanner({ monitor }: { readonly monitor: ConnectionMonitor }): React.JSX.Element | null {
  const state = useSyncExternalStore(monitor.subscribe, monitor.state)
  const queryClient = useQueryClient()
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    if (state.isUp) return undefined
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [state.isUp])
  if (state.isUp) return null
  const ageMs = Math.max(0, nowMs - state.sinceMs)
  return (
    <div className={styles.banner} role="alert">
      <span>
        Connection lost{ageMs >= TICK_MS && ` ${formatDurationMs(Math.floor(ageMs / TICK_MS) * TICK_MS)} ago`}. The page shows the
        last results and tries again.
      </span>
      <Button onClick={() => void queryClient.refetchQueries({ type: 'active' })}>Try now</Button>
    </div>
  )
}
