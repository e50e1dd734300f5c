import { useMemo } from 'react'
import type { ApmServiceQuery } from '../api/generated/ApmService.js'
import { useAnnotations } from '../app/use-annotations.js'
import { wholeBuckets } from '../charts/chart-data.js'
import { seriesStyle } from '../charts/series-style.js'
import { TimeChart } from '../charts/time-chart.js'
import { toMs } from '../format/instant.js'
import { formatCompact, formatDurationMs, formatShare } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import type { TimeWindow } from '../url/time-window.js'
import { useAddress } from '../url/use-address.js'
import { usePageWindow } from '../url/use-window.js'
import { ServiceHistory } from './service-history.js'
import styles from './page.module.css'

type Service = NonNullable<ApmServiceQuery['service']>

/** A version that is there from this share of the window on has been deployed before it. */
const DEPLOY_SHARE = 0.02

/** One unit for the whole axis. */
function formatPerSecond(rate: number): string {
  return `${formatCompact(rate)}/s`
}

/** Versions that appeared in the window: those whose first span is not at its very start. */
function deploysOf({ releases }: Service, { from, to }: TimeWindow): Service['releases'] {
  const startMs = toMs(from) + (toMs(to) - toMs(from)) * DEPLOY_SHARE
  return releases.length < 2 ? [] : releases.filter(({ firstSeen }) => toMs(firstSeen) > startMs)
}

/** Rate, errors and latency of a service, with its deployments and the times in which its alerts fired. */
export function RedCharts({ service }: { readonly service: Service }): React.JSX.Element | null {
  const { window } = usePageWindow()
  const { change } = useAddress()
  const { redSeries } = service
  const charts = useMemo(
    () =>
      redSeries && {
        // The last bucket can end after the window: its rate is that of a part.
        rate: [{ name: 'requests', samples: wholeBuckets(redSeries.grid, redSeries.ratePerSecond, window), ...seriesStyle(0) }],
        errors: [{ name: 'error rate', samples: redSeries.errorRate, colour: 'var(--level-error)' }],
        latency: [
          { name: 'p50', samples: redSeries.p50Ms, ...seriesStyle(0) },
          { name: 'p95', samples: redSeries.p95Ms, ...seriesStyle(1) },
          { name: 'p99', samples: redSeries.p99Ms, ...seriesStyle(2) }
        ]
      },
    [redSeries, window]
  )
  const services = useMemo(() => [service.name], [service.name])
  const annotations = useAnnotations(services, window)
  const marks = useMemo(() => {
    const seen = deploysOf(service, window).map(({ version, firstSeen }) => ({ name: visibleText(version), ms: toMs(firstSeen) }))
    // A deployment that was reported is marked once, at the reported time.
    const reported = new Set(annotations.marks.map(({ name }) => name))
    return [...annotations.marks, ...seen.filter(({ name }) => !reported.has(name))]
  }, [service, window, annotations])
  if (!redSeries || !charts) return null
  const shared = {
    grid: redSeries.grid,
    window,
    marks,
    bands: annotations.bands,
    onZoom: (zoomed: TimeWindow) => change({ ...zoomed })
  }
  return (
    <>
      <div className={styles.charts}>
        <div>
          <h3>Rate</h3>
          <TimeChart {...shared} label="Requests per second" series={charts.rate} formatValue={formatPerSecond} />
        </div>
        <div>
          <h3>Errors</h3>
          <TimeChart {...shared} label="Error rate" series={charts.errors} formatValue={formatShare} />
        </div>
        <div>
          <h3>Latency</h3>
          <TimeChart {...shared} label="Latency" series={charts.latency} formatValue={formatDurationMs} />
        </div>
      </div>
      <ServiceHistory service={service.name} annotations={annotations} />
    </>
  )
}
