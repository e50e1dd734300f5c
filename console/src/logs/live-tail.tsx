import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { LogFilter } from '../api/generated/LogTail.js'
import { createSubscribe } from '../api/subscribe.js'
import { usePageKeys } from '../app/use-shortcuts.js'
import { formatCount, plural } from '../format/number.js'
import { useSession } from '../session/context.js'
import { Button } from '../ui/button.js'
import { Empty, Failed } from '../ui/states.js'
import styles from './live-tail.module.css'
import { LogList } from './log-list.js'
import { TailFeed, type TailState } from './tail-feed.js'
import type { LogRow } from './use-log-search.js'

const TIMERS = {
  after: (ms: number, run: () => void) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  }
}
/** Space is the key of these. */
const PRESSED_BY_SPACE = 'button, a, summary, label, input'

/** Rows that stay as they are while others arrive, and why. */
interface Held {
  readonly by: 'scroll' | 'selection' | 'pause'
  readonly rows: readonly LogRow[]
  readonly received: number
}

function useTailFeed(namespace: string, filter: LogFilter): TailFeed {
  const session = useSession()
  // An equal filter of another object is the same tail.
  const key = JSON.stringify(filter)
  const feed = useMemo(() => {
    const search = { namespace, filter: JSON.parse(key) as LogFilter }
    return new TailFeed(createSubscribe(document.baseURI, session), TIMERS, search)
  }, [session, namespace, key])
  useEffect(() => {
    feed.start()
    return () => feed.stop()
  }, [feed])
  return feed
}

function statusText({ status, resumed }: TailState, held: Held | null): string {
  if (status === 'connecting') return 'Connecting…'
  if (status === 'lost') return 'Connection lost. Trying again…'
  if (status === 'failed') return 'The live tail has ended.'
  const state = held?.by === 'pause' ? 'Paused.' : held ? 'Not following.' : 'Following.'
  if (resumed === 'complete') return `${state} Reconnected; no log is missing.`
  return resumed === 'from now' ? `${state} Reconnected; logs of the meantime can be missing.` : state
}

/** Calls `onSelect` when text of the element is selected. */
function useTextSelection(element: React.RefObject<HTMLElement | null>, onSelect: () => void): void {
  useEffect(() => {
    const listen = (): void => {
      const selection = document.getSelection()
      if (selection && !selection.isCollapsed && element.current?.contains(selection.anchorNode)) onSelect()
    }
    document.addEventListener('selectionchange', listen)
    return () => document.removeEventListener('selectionchange', listen)
  }, [element, onSelect])
}

/** Logs as they arrive, latest last. Scrolling up, selecting text and Space hold the rows. */
export function LiveTail(props: {
  readonly namespace: string
  readonly filter: LogFilter
  readonly selected: string | null
  readonly onOpen: (row: LogRow) => void
  /** Buttons at the end of the line above the list. */
  readonly tools: ReactNode
}): React.JSX.Element {
  const { namespace, filter, selected, onOpen, tools } = props
  const feed = useTailFeed(namespace, filter)
  const state = useSyncExternalStore(feed.subscribe, feed.state)
  const [held, setHeld] = useState<Held | null>(null)
  const list = useRef<HTMLDivElement>(null)
  const hold = useCallback(
    (by: Held['by']): void => {
      const { rows, received } = feed.state()
      setHeld(current => current ?? { by, rows, received })
    },
    [feed]
  )
  useTextSelection(
    list,
    useCallback(() => hold('selection'), [hold])
  )
  usePageKeys(key => {
    if (key !== ' ' || document.activeElement?.matches(PRESSED_BY_SPACE)) return false
    if (held) setHeld(null)
    else hold('pause')
    return true
  })
  const rows = held?.rows ?? state.rows
  return (
    <>
      <div className={styles.bar}>
        <p role="status" aria-label="Live tail" data-lost={state.status === 'lost' || undefined}>
          {statusText(state, held)}
        </p>
        <span className={styles.counts}>
          {plural(state.received, 'log')}
          {state.dropped > 0 && <strong> · {formatCount(state.dropped)} dropped</strong>}
        </span>
        {held && <Button onClick={() => setHeld(null)}>{`${formatCount(state.received - held.received)} new`}</Button>}
        {tools}
      </div>
      {state.status === 'failed' && <Failed error={state.error} onRetry={() => feed.start()} />}
      {rows.length === 0 && state.status !== 'failed' && (
        <Empty title="Waiting for the next log">
          <p>Logs that match the filter appear here as they arrive.</p>
        </Empty>
      )}
      {rows.length > 0 && (
        <div ref={list} className={styles.list}>
          <LogList
            rows={rows}
            total={null}
            at={null}
            selected={selected}
            onOpen={onOpen}
            end={{
              isFollowed: held === null,
              onLeave: () => hold('scroll'),
              onReach: () => setHeld(current => (current?.by === 'scroll' ? null : current))
            }}
          />
        </div>
      )}
    </>
  )
}
