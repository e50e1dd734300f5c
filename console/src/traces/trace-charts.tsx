import { useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { TraceHeatmapDocument } from '../api/generated/TraceHeatmap.js'
import { TracePointsDocument, type TracePointsQuery } from '../api/generated/TracePoints.js'
import { useRequest } from '../api/use-request.js'
import { HeatMap, type PlaneRange } from '../charts/heat-map.js'
import type { Point } from '../charts/points.js'
import { Scatter } from '../charts/scatter.js'
import { durationText } from '../format/duration-text.js'
import { toMs } from '../format/instant.js'
import { formatCount, plural } from '../format/number.js'
import { Panel } from '../ui/panel.js'
import { one } from '../url/search-codec.js'
import { useAddress } from '../url/use-address.js'
import styles from './page.module.css'
import type { TraceSearch } from './use-trace-search.js'

/** Narrows the page to times and durations of spans or of whole traces. */
function useNarrowing(scope: 'span' | null): (range: PlaneRange) => void {
  const { change } = useAddress()
  return ({ from, to, minMs, maxMs }) =>
    change({ from, to, min: minMs > 0 ? durationText(minMs) : null, max: durationText(maxMs), scope })
}

/** Matching spans by start and duration. */
function HeatMapPanel({ namespace, window, filter }: TraceSearch): React.JSX.Element {
  const variables = { range: window, filter }
  const result = useRequest(TraceHeatmapDocument, variables, { namespace })
  const narrow = useNarrowing('span')
  return (
    <Panel
      title="Heat map"
      what="heat map"
      result={result}
      source={{ request: { document: TraceHeatmapDocument, variables } }}
      completenessOf={({ traces }) => traces?.stats}
    >
      {({ traces }) =>
        traces?.heatmap.counts.some(counts => counts.some(count => count > 0)) ? (
          <HeatMap heatmap={traces.heatmap} noun="spans" window={window} onSelect={narrow} />
        ) : (
          <p className={styles.note}>No spans match in this window.</p>
        )
      }
    </Panel>
  )
}

function pointsOf(data: TracePointsQuery | undefined): readonly Point[] {
  const { traceIds, starts, durationsMs, errors } = data?.traces?.points ?? {
    traceIds: [],
    starts: [],
    durationsMs: [],
    errors: []
  }
  const latestFirst = traceIds.map((id, i) => ({
    ...{ id, startMs: toMs(starts[i]!), durationMs: durationsMs[i]!, isError: errors[i]! }
  }))
  return latestFirst.toReversed()
}

/** The latest matching traces by start and duration. */
function ScatterPanel({ namespace, window, filter }: TraceSearch): React.JSX.Element {
  const navigate = useNavigate()
  const { search } = useAddress()
  const variables = { range: window, filter }
  const result = useRequest(TracePointsDocument, variables, { namespace })
  const points = useMemo(() => pointsOf(result.data), [result.data])
  const narrow = useNarrowing(null)
  const tz = one(search, 'tz')
  const open = useCallback(
    (traceId: string) =>
      void navigate({
        to: '/n/$namespace/traces/$traceId',
        params: { namespace, traceId },
        search: tz === null ? {} : { tz }
      }),
    [navigate, namespace, tz]
  )
  return (
    <Panel
      title="Scatter"
      what="traces"
      result={result}
      source={{ request: { document: TracePointsDocument, variables } }}
      completenessOf={({ traces }) => traces?.stats}
    >
      {({ traces }) => (
        <>
          <p className={styles.note}>{scatterNote(points.length, traces?.points.omitted ?? 0)}</p>
          {points.length > 0 && (
            <Scatter
              label="Traces by duration"
              points={points}
              fromMs={toMs(window.from)}
              toMs={toMs(window.to)}
              onOpen={open}
              onSelect={narrow}
            />
          )}
        </>
      )}
    </Panel>
  )
}

function scatterNote(shown: number, omitted: number): string {
  if (shown === 0) return 'No traces match in this window.'
  return omitted === 0
    ? `All ${plural(shown, 'trace')}.`
    : `The latest ${formatCount(shown)} of ${formatCount(shown + omitted)} traces.`
}

/** A search as a picture: `scatter` of its traces or `heatmap` of its spans. */
export function TraceCharts({ view, ...search }: TraceSearch & { readonly view: 'scatter' | 'heatmap' }): React.JSX.Element {
  return <div className={styles.chart}>{view === 'scatter' ? <ScatterPanel {...search} /> : <HeatMapPanel {...search} />}</div>
}
