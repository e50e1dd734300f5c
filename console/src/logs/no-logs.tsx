import { type LogFilter, LogNewestDocument } from '../api/generated/LogNewest.js'
import { LogConditionsDocument } from '../api/generated/LogConditions.js'
import { useRequest } from '../api/use-request.js'
import { SendFirst } from '../app/send-first.js'
import { useInstantFormat } from '../app/use-instant-format.js'
import { plural } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { Button } from '../ui/button.js'
import { Empty } from '../ui/states.js'
import { ALL_TIME, hourAround, type TimeWindow } from '../url/time-window.js'
import { useAddress, useNamespace } from '../url/use-address.js'

/** A search without a result. */
export interface NoLogsProps {
  readonly filter: LogFilter
  readonly window: TimeWindow
  readonly warnings: readonly string[]
}

/** Why a search found nothing: no logs are stored, none are in the window, or the filter excludes them. */
export function NoLogs({ filter, window, warnings }: NoLogsProps): React.JSX.Element {
  const namespace = useNamespace()
  const { change } = useAddress()
  const format = useInstantFormat()
  const isFiltered = Object.keys(filter).length > 0
  const inWindow = useRequest(LogNewestDocument, { range: window, filter: null }, { namespace, enabled: isFiltered })
  const ever = useRequest(LogNewestDocument, { range: ALL_TIME, filter: null }, { namespace })
  const newest = ever.data?.logs?.nodes[0]
  if (ever.data && !newest) return <SendFirst signal="logs" />
  if (isFiltered && inWindow.data?.logs?.nodes.length)
    return (
      <Empty title="No logs match this filter">
        <p>The window has logs, but none that meet all conditions.</p>
        <Conditions filter={filter} window={window} />
        {warnings.map(warning => (
          <p key={warning}>{warning}</p>
        ))}
        <Button onClick={() => change({ q: null, level: null, service: null, host: null, source: null, sel: null })}>
          Remove the filter
        </Button>
      </Empty>
    )
  return (
    <Empty title="No logs in this window">
      {newest && (
        <>
          <p>
            The newest log of this namespace is from {format.full(newest.timestamp)} {format.zoneName}.
          </p>
          <Button onClick={() => change({ ...hourAround(newest.timestamp), sel: null })}>Go there</Button>
        </>
      )}
    </Empty>
  )
}

/** For each condition, how many logs match without it. */
function Conditions({ filter, window }: Pick<NoLogsProps, 'filter' | 'window'>): React.JSX.Element | null {
  const namespace = useNamespace()
  const { data } = useRequest(LogConditionsDocument, { range: window, filter }, { namespace })
  const conditions = data?.logs?.conditions ?? []
  if (conditions.length === 0) return null
  return (
    <ul aria-label="Conditions">
      {conditions.map(({ condition, rowsWithout }) => (
        <li key={condition}>
          Without <code>{visibleText(condition)}</code>: {rowsWithout.exact ? '' : 'at least '}
          {plural(rowsWithout.value, 'log')}
        </li>
      ))}
    </ul>
  )
}
