import { type TraceFilter, TraceNewestDocument } from '../api/generated/TraceNewest.js'
import { useRequest } from '../api/use-request.js'
import { SendFirst } from '../app/send-first.js'
import { useInstantFormat } from '../app/use-instant-format.js'
import { Button } from '../ui/button.js'
import { Empty } from '../ui/states.js'
import { ALL_TIME, hourAround, type TimeWindow } from '../url/time-window.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { FILTER_KEYS } from './trace-filter.js'

/** A search without a result. */
export interface NoTracesProps {
  readonly filter: TraceFilter
  readonly window: TimeWindow
  readonly warnings: readonly string[]
}

/** Why a search found nothing: no spans are stored, none are in the window, or the filter excludes them. */
export function NoTraces({ filter, window, warnings }: NoTracesProps): React.JSX.Element {
  const namespace = useNamespace()
  const { change } = useAddress()
  const format = useInstantFormat()
  const isFiltered = Object.keys(filter).length > 0
  const inWindow = useRequest(TraceNewestDocument, { range: window, filter: null }, { namespace, enabled: isFiltered })
  const ever = useRequest(TraceNewestDocument, { range: ALL_TIME, filter: null }, { namespace })
  const newest = ever.data?.traces?.nodes[0]
  if (ever.data && !newest) return <SendFirst signal="traces" />
  if (isFiltered && inWindow.data?.traces?.nodes.length)
    return (
      <Empty title="No traces match this filter">
        <p>The window has traces, but none that meet all conditions.</p>
        {warnings.map(warning => (
          <p key={warning}>{warning}</p>
        ))}
        <Button onClick={() => change(Object.fromEntries(FILTER_KEYS.map(key => [key, null])))}>Remove the filter</Button>
      </Empty>
    )
  return (
    <Empty title="No traces in this window">
      {newest && (
        <>
          <p>
            The newest trace of this namespace is from {format.full(newest.startTime)} {format.zoneName}.
          </p>
          <Button onClick={() => change({ ...hourAround(newest.startTime) })}>Go there</Button>
        </>
      )}
    </Empty>
  )
}
