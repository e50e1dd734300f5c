import type { LogSummaryQuery } from '../api/generated/LogSummary.js'
import { AnnotationLine } from '../app/annotation-line.js'
import { ALL_SERVICES, useAnnotations } from '../app/use-annotations.js'
import { useInstantFormat } from '../app/use-instant-format.js'
import { onGrid } from '../charts/compared.js'
import { TimeBars } from '../charts/time-bars.js'
import { plural } from '../format/number.js'
import { Failed } from '../ui/states.js'
import type { ResultCut } from '../ui/cut-dialog.js'
import { useAddress } from '../url/use-address.js'
import { useComparison } from '../url/use-comparison.js'
import { LEVELS } from './log-filter.js'
import styles from './page.module.css'
import { type LogSearch, useComparedLogs } from './use-log-search.js'

type Histogram = NonNullable<LogSummaryQuery['logs']>['histogram']

/** Counts of the search, null before the first result. */
export interface LogHistogramProps {
  readonly histogram: Histogram | null
  readonly isStale: boolean
  readonly search: LogSearch
  /** Why the result is incomplete. */
  readonly cuts: readonly ResultCut[]
}

/** Fatal at the bottom: the rare and grave levels keep their place while the others change. */
const STACKING = LEVELS.toReversed()

function levelName(key: string | null): string {
  return (key ?? 'unknown').toLowerCase()
}

function rank(key: string | null): number {
  return STACKING.findIndex(level => level.toLowerCase() === levelName(key))
}

/** Logs per bucket by level; those of the compared window as a line; alerts and deployments, of the service that is chosen. */
export function LogHistogram({ histogram, isStale, search, cuts }: LogHistogramProps): React.JSX.Element {
  const { change } = useAddress()
  const { comparison } = useComparison()
  const annotations = useAnnotations(search.filter.services ?? ALL_SERVICES, search.window)
  const before = useComparedLogs(search, comparison)
  const series = (histogram?.series ?? [])
    .map(({ key, counts }) => ({ key: key ?? null, counts }))
    .toSorted((a, b) => rank(a.key) - rank(b.key))
  const compared = comparison ? before.data?.logs : null
  const sums = compared?.histogram?.series[0]?.counts
  return (
    <figure className={styles.histogram} aria-label="Logs over time" data-stale={isStale || undefined}>
      {histogram && histogram.grid.length > 0 && (
        <TimeBars
          grid={histogram.grid}
          series={series}
          nameOf={levelName}
          colourOf={key => `var(--level-${levelName(key)})`}
          window={search.window}
          onZoom={zoomed => change({ ...zoomed, sel: null })}
          compared={
            comparison && compared?.histogram
              ? onGrid(histogram.grid, { grid: compared.histogram.grid, samples: sums ?? [] }, comparison.shiftMs)
              : undefined
          }
          bands={annotations.bands}
          marks={annotations.marks}
          cuts={cuts.flatMap(({ window }) => (window ? [window] : []))}
        />
      )}
      {histogram && <AnnotationLine annotations={annotations} />}
      {comparison && before.error && <Failed error={before.error} onRetry={() => void before.refetch()} />}
      {comparison && compared && <Legend total={compared.total} comparison={comparison} />}
    </figure>
  )
}

/** What the grey line is. */
function Legend(props: {
  readonly total: { readonly value: number; readonly exact: boolean }
  readonly comparison: NonNullable<ReturnType<typeof useComparison>['comparison']>
}): React.JSX.Element {
  const { total, comparison } = props
  const format = useInstantFormat()
  const { from, to } = comparison.window
  return (
    <figcaption className={styles.compared}>
      <span aria-hidden="true">┄</span> {comparison.name}: {total.exact ? '' : 'at least '}
      {plural(total.value, 'log')}, {format.time(from)} to {format.time(to)}
    </figcaption>
  )
}
