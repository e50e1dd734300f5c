import type { TraceOverviewQuery } from '../api/generated/TraceOverview.js'
import { DurationHistogram } from '../charts/duration-histogram.js'
import { TimeBars } from '../charts/time-bars.js'
import { durationText } from '../format/duration-text.js'
import type { TimeWindow } from '../url/time-window.js'
import { useAddress } from '../url/use-address.js'
import styles from './page.module.css'

/** Errors at the bottom: the rare and grave ones keep their place while the others change. */
const STATUSES: readonly (readonly [status: string, colour: string])[] = [
  ['error', 'var(--level-error)'],
  ['ok', 'var(--vital-good)'],
  ['unset', 'var(--strong-line)']
]

function statusOf(key: string | null): string {
  return (key ?? 'unset').toLowerCase()
}

function rank(key: string | null): number {
  return STATUSES.findIndex(([status]) => status === statusOf(key))
}

/** The overview of a search, null before the first result, and the window of the page. */
export interface HistogramsProps {
  readonly overview: NonNullable<TraceOverviewQuery['traces']> | null
  readonly isStale: boolean
  readonly window: TimeWindow
}

/** Matching spans over time by status, and by duration. */
export function Histograms({ overview, isStale, window }: HistogramsProps): React.JSX.Element {
  const { change } = useAddress()
  const series = (overview?.histogram.series ?? [])
    .map(({ key, counts }) => ({ key: key ?? null, counts }))
    .toSorted((a, b) => rank(a.key) - rank(b.key))
  const percentiles = [
    ['p50', overview?.durations.p50Ms] as const,
    ['p90', overview?.durations.p90Ms] as const,
    ['p99', overview?.durations.p99Ms] as const
  ].flatMap(([name, ms]) => (typeof ms === 'number' ? [{ name, ms }] : []))
  return (
    <div className={styles.histograms} data-stale={isStale || undefined}>
      <figure aria-label="Spans over time">
        <figcaption>
          Matching spans over time
          {STATUSES.map(([status, colour]) => (
            <span key={status} className={styles.key} style={{ '--key': colour } as React.CSSProperties}>
              {status}
            </span>
          ))}
        </figcaption>
        {overview && overview.histogram.grid.length > 0 && (
          <TimeBars
            grid={overview.histogram.grid}
            series={series}
            nameOf={statusOf}
            colourOf={key => STATUSES[rank(key)]?.[1] ?? 'var(--muted)'}
            window={window}
            onZoom={zoomed => change({ ...zoomed })}
          />
        )}
      </figure>
      <figure aria-label="Span durations">
        <figcaption>Matching spans by duration</figcaption>
        {overview && (
          <DurationHistogram
            counts={overview.durations}
            percentiles={percentiles}
            noun="spans"
            // The histogram counts spans, so the range applies to spans.
            onSelect={(from, to) => change({ min: durationText(from), max: durationText(to), scope: 'span' })}
          />
        )}
      </figure>
    </div>
  )
}
