import { useMemo } from 'react'
import { HostChartsDocument, type HostChartsQuery } from '../api/generated/HostCharts.js'
import { useRequest } from '../api/use-request.js'
import { seriesStyle } from '../charts/series-style.js'
import { TimeChart } from '../charts/time-chart.js'
import { formatBytes } from '../format/bytes.js'
import { formatShare } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import layout from '../ui/page-layout.module.css'
import { Panel } from '../ui/panel.js'
import type { TimeWindow } from '../url/time-window.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { usePageWindow } from '../url/use-window.js'
import styles from './page.module.css'

type Series = NonNullable<HostChartsQuery['host']>['series']

const PERCENT = 100

function formatPercent(percent: number): string {
  return formatShare(percent / PERCENT)
}

function formatBytesPerSecond(bytes: number): string {
  return `${formatBytes(bytes)}/s`
}

const CHARTS: readonly (readonly [ref: string, title: string, format: (value: number) => string])[] = [
  ['cpu', 'CPU', formatPercent],
  ['memory', 'Memory', formatPercent],
  ['disk', 'Disk', formatPercent],
  ['network', 'Network', formatBytesPerSecond]
]

/** CPU, memory, disk and network of a host over the window. */
export function ChartsPanel({ host }: { readonly host: string }): React.JSX.Element {
  const namespace = useNamespace()
  const { window } = usePageWindow()
  const variables = { id: host, range: window }
  const result = useRequest(HostChartsDocument, variables, { namespace })
  return (
    <Panel
      title="Usage"
      result={result}
      source={{ request: { document: HostChartsDocument, variables } }}
      minHeight={280}
      completenessOf={({ host: found }) => found?.series.stats}
    >
      {({ host: found }) =>
        found && found.series.series.length > 0 ? (
          <Charts series={found.series} />
        ) : (
          <p className={layout.note}>
            No <code>system.*</code> metrics of this host in this window: its agent or Collector sends none.
          </p>
        )
      }
    </Panel>
  )
}

function Charts({ series }: { readonly series: Series }): React.JSX.Element {
  const { window } = usePageWindow()
  const { change } = useAddress()
  const charts = useMemo(
    () =>
      CHARTS.map(([ref, title, format]) => ({
        title,
        format,
        lines: series.series
          .filter(line => line.ref === ref)
          .map((line, index) => ({
            name: visibleText(line.legend === ref ? ref : line.legend.slice(ref.length + 1)),
            samples: line.values,
            ...seriesStyle(index)
          }))
      })),
    [series]
  )
  const shared = { grid: series.grid, window, onZoom: (zoomed: TimeWindow) => change({ ...zoomed }) }
  return (
    <div className={styles.charts}>
      {charts.map(({ title, format, lines }) => (
        <div key={title}>
          <h3>{title}</h3>
          {lines.length > 0 ? (
            <TimeChart {...shared} label={title} series={lines} formatValue={format} />
          ) : (
            <p className={layout.note}>No samples in this window.</p>
          )}
        </div>
      ))}
    </div>
  )
}
