import { useMemo } from 'react'
import { RumTrendDocument, type RumTrendQuery } from '../api/generated/RumTrend.js'
import { useRequest } from '../api/use-request.js'
import { comparedLine } from '../charts/compared.js'
import { seriesStyle } from '../charts/series-style.js'
import { TimeChart } from '../charts/time-chart.js'
import layout from '../ui/page-layout.module.css'
import { Panel } from '../ui/panel.js'
import { CompareSelect } from '../ui/compare-select.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { useComparison } from '../url/use-comparison.js'
import { usePageWindow } from '../url/use-window.js'
import styles from './page.module.css'
import { readRumFilter } from './rum-filter.js'
import { formatVital, readVital, thresholdLines, type VitalInfo } from './vitals.js'

type Series = NonNullable<RumTrendQuery['rum']>['series']

/** One timing over time, with its thresholds. */
export function TrendPanel(): React.JSX.Element {
  const namespace = useNamespace()
  const { search } = useAddress()
  const { window } = usePageWindow()
  const { info } = readVital(search)
  const variables = { range: window, filter: readRumFilter(search), vital: info.vital }
  const { comparison } = useComparison()
  const result = useRequest(RumTrendDocument, variables, { namespace })
  const range = comparison?.window ?? window
  const before = useRequest(RumTrendDocument, { ...variables, range }, { namespace, enabled: comparison !== null })
  return (
    <Panel
      title="Trend"
      result={result}
      actions={<CompareSelect />}
      source={{ request: { document: RumTrendDocument, variables } }}
      minHeight={220}
      completenessOf={({ rum }) => rum?.series.stats}
    >
      {({ rum }) =>
        rum && rum.series.series.length > 0 ? (
          <Trend info={info} series={rum.series} before={comparison ? (before.data?.rum?.series ?? null) : null} />
        ) : (
          <p className={layout.note}>No page view of this window reports it.</p>
        )
      }
    </Panel>
  )
}

function Trend(props: {
  readonly info: VitalInfo
  readonly series: Series
  /** The same in the compared window; null without one. */
  readonly before: Series | null
}): React.JSX.Element {
  const { info, before } = props
  const { grid, series } = props.series
  const { comparison } = useComparison()
  const { change } = useAddress()
  const { window } = usePageWindow()
  const thresholds = useMemo(() => thresholdLines(info), [info])
  const lines = useMemo(
    () =>
      series.flatMap(({ values }, index) => {
        const line = { name: `${info.short} p75`, samples: values, ...seriesStyle(index) }
        const samples = before?.series[index]?.values
        if (!comparison || !before || !samples) return [line]
        return [line, comparedLine(line, grid, { grid: before.grid, samples }, comparison)]
      }),
    [info, series, grid, before, comparison]
  )
  const formatValue = useMemo(() => (value: number) => formatVital(info.vital, value), [info])
  return (
    <div className={styles.chart}>
      <TimeChart
        label={`${info.name} over time`}
        grid={grid}
        series={lines}
        thresholds={thresholds}
        window={window}
        formatValue={formatValue}
        onZoom={zoomed => change({ ...zoomed })}
      />
    </div>
  )
}
