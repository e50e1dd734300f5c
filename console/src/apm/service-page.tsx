import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { ApmServiceDocument, type ApmServiceQuery } from '../api/generated/ApmService.js'
import { useAsk } from '../api/use-ask.js'
import { Page } from '../app/page.js'
import { useInstantFormat } from '../app/use-instant-format.js'
import { wholeBuckets } from '../charts/chart-data.js'
import { seriesStyle } from '../charts/series-style.js'
import { TimeChart } from '../charts/time-chart.js'
import { formatCompact, formatCount, formatDurationMs, formatLatency, formatRate, formatShare } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { Empty } from '../ui/states.js'
import { Instant } from '../ui/instant.js'
import layout from '../ui/page-layout.module.css'
import { Panel } from '../ui/panel.js'
import type { TimeWindow } from '../url/time-window.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { usePageWindow } from '../url/use-window.js'
import { ExceptionsPanel } from './exceptions-panel.js'
import { MapPanel } from './map-panel.js'
import styles from './page.module.css'
import { changeText } from './change-text.js'
import { ServiceStateMark } from './service-facts.js'
import { LogsPanel, OperationsPanel, TracesPanel } from './service-panels.js'

/** One unit for the whole axis. */
function formatPerSecond(rate: number): string {
  return `${formatCompact(rate)}/s`
}

type Service = NonNullable<ApmServiceQuery['service']>

/** `/n/{namespace}/apm/{name}`: one service. */
export function ServicePage(): React.JSX.Element {
  const namespace = useNamespace()
  const name = useParams({ strict: false, select: params => (params as { service?: string }).service ?? '' })
  const { window, problems } = usePageWindow()
  const result = useAsk(ApmServiceDocument, { name, range: window }, { namespace })
  return (
    <Page title={visibleText(name)} problems={problems}>
      <div className={layout.panels}>
        <Panel title="Requests" result={result} minHeight={280}>
          {({ service }) =>
            service ? (
              <>
                <Facts service={service} />
                <RedCharts service={service} />
              </>
            ) : (
              <Empty title="This service sent no span in the last 24 hours">
                <p>Its name is wrong, or it stopped: its older traces and logs are still searchable.</p>
              </Empty>
            )
          }
        </Panel>
        <OperationsPanel service={name} />
        <MapPanel service={name} />
        <ExceptionsPanel service={name} />
        <TracesPanel service={name} />
        <LogsPanel service={name} />
      </div>
    </Page>
  )
}

function Facts({ service }: { readonly service: Service }): React.JSX.Element {
  const format = useInstantFormat()
  const { red } = service
  const facts: readonly (readonly [name: string, value: string])[] = [
    ['Requests', formatCount(red.requests)],
    ['Rate', formatRate(red.ratePerSecond)],
    ['Error rate', formatShare(red.errorRate)],
    ['p50', formatLatency(red.p50Ms)],
    ['p95', formatLatency(red.p95Ms)],
    ['p99', formatLatency(red.p99Ms)],
    ['Apdex (500 ms)', service.apdex == null ? '–' : service.apdex.toFixed(2)]
  ]
  const origin = [service.language, service.version].filter(Boolean).join(' ')
  return (
    <>
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.origin}>
        <ServiceStateMark state={service.state} />, last seen <Instant value={service.lastSeen} /> {format.zoneName}
        {origin && ` · ${visibleText(origin)}`} · against the window before: {changeText(service.change)}
      </p>
    </>
  )
}

function RedCharts({ service }: { readonly service: Service }): React.JSX.Element | null {
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
  if (!redSeries || !charts) return null
  const shared = { grid: redSeries.grid, window, onZoom: (zoomed: TimeWindow) => change({ ...zoomed }) }
  return (
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
  )
}
