import type { UseQueryResult } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { PromqlChartDocument, type PromqlChartQuery } from '../api/generated/PromqlChart.js'
import { AnnotationLine } from '../app/annotation-line.js'
import { ALL_SERVICES, useAnnotations } from '../app/use-annotations.js'
import { comparedLine } from '../charts/compared.js'
import { seriesStyle } from '../charts/series-style.js'
import { TimeChart } from '../charts/time-chart.js'
import { formatSample } from '../format/measured.js'
import { formatCount } from '../format/number.js'
import { Button } from '../ui/button.js'
import { PanelMenu, type PanelSource } from '../ui/panel-menu.js'
import { Loading } from '../ui/states.js'
import type { TimeWindow } from '../url/time-window.js'
import { useComparison } from '../url/use-comparison.js'
import { useAddress } from '../url/use-address.js'
import { type Evaluated, namedLines } from './named-lines.js'
import { NoSeries } from './no-series.js'
import styles from './page.module.css'
import { SeriesTable } from './series-table.js'
import { matrixOf, MAX_POINTS } from './use-promql.js'

/** More lines are drawn on request: they take time, and cannot be distinguished. */
const DRAWN_AT_FIRST = 200
/** The lines of the compared window are all grey: more of them cannot be distinguished. */
const MOST_COMPARED = 8

/** The same list as before while it has the same elements, so that nothing is drawn again. */
function useStable<Item>(list: readonly Item[]): readonly Item[] {
  const [kept, setKept] = useState(list)
  if (kept.length === list.length && kept.every((item, index) => item === list[index])) return kept
  setKept(list)
  return list
}

/** The expressions that have a result. */
function useEvaluated(
  expressions: readonly string[],
  results: readonly UseQueryResult<PromqlChartQuery>[]
): readonly Evaluated[] {
  const matrices = useStable(results.map(matrixOf))
  return useMemo(
    () => matrices.flatMap((matrix, index) => (matrix ? [{ expression: expressions[index]!, matrix }] : [])),
    [expressions, matrices]
  )
}

/** The series of all expressions in one chart, and a table of them. */
export function Chart(props: {
  readonly expressions: readonly string[]
  readonly results: readonly UseQueryResult<PromqlChartQuery>[]
  /** The same in the compared window; empty without one. */
  readonly before: readonly UseQueryResult<PromqlChartQuery>[]
  readonly window: TimeWindow
  readonly step: string | null
}): React.JSX.Element | null {
  const { results, window } = props
  const expressions = useStable(props.expressions)
  const evaluated = useEvaluated(expressions, results)
  const before = useEvaluated(expressions, props.before)
  if (evaluated.length === 0) return results.some(({ isPending }) => isPending) ? <Loading what="the chart" /> : null
  if (evaluated.every(({ matrix }) => matrix.series.length === 0))
    return (
      <NoSeries title="No series match in this window">
        <p>
          Check the names: a metric with dots is written <code>{'{"system.cpu.usage"}'}</code>. Or widen the time range.
        </p>
      </NoSeries>
    )
  const variables = { query: expressions[0], range: window, step: props.step, maxPoints: MAX_POINTS }
  const source = { request: { document: PromqlChartDocument, variables }, promql: expressions }
  return <Lines evaluated={evaluated} before={before} window={window} source={source} />
}

interface LinesProps {
  readonly evaluated: readonly Evaluated[]
  readonly before: readonly Evaluated[]
  readonly window: TimeWindow
  readonly source: PanelSource
}

function Lines({ evaluated, before, window, source }: LinesProps): React.JSX.Element {
  const { comparison } = useComparison()
  const { change } = useAddress()
  // Of all services: an expression names none.
  const annotations = useAnnotations(ALL_SERVICES, window)
  const [most, setMost] = useState(DRAWN_AT_FIRST)
  const [only, setOnly] = useState<string | null>(null)
  const lines = useMemo(() => namedLines(evaluated), [evaluated])
  const shown = useMemo(() => {
    const styled = lines.map(({ key, name, values }, index) => ({ key, name, samples: values, ...seriesStyle(index) }))
    const chosen = only === null ? styled.slice(0, most) : styled.filter(({ key }) => key === only)
    const [grid, own] = [evaluated[0]!.matrix.grid, before[0]?.matrix.grid]
    if (!comparison || !own || chosen.length > MOST_COMPARED) return chosen
    const earlier = new Map(namedLines(before).map(({ key, values }) => [key, values]))
    const compared = chosen.flatMap(line => {
      const samples = earlier.get(line.key)
      return samples ? [comparedLine(line, grid, { grid: own, samples }, comparison)] : []
    })
    return [...chosen, ...compared]
  }, [lines, most, only, evaluated, before, comparison])
  return (
    <>
      <TimeChart
        label="Chart"
        grid={evaluated[0]!.matrix.grid}
        series={shown}
        window={window}
        marks={annotations.marks}
        bands={annotations.bands}
        formatValue={formatSample}
        height={280}
        isFromZero={false}
        onZoom={zoomed => change({ ...zoomed })}
      />
      <AnnotationLine annotations={annotations} />
      <div className={styles.bar}>
        {only === null && lines.length > most && (
          <>
            <span role="status">
              {formatCount(most)} of {formatCount(lines.length)} series are drawn.
            </span>
            <Button onClick={() => setMost(lines.length)}>Show all {formatCount(lines.length)}</Button>
          </>
        )}
        {only !== null && <Button onClick={() => setOnly(null)}>Show all series</Button>}
        <span className={styles.end}>
          <PanelMenu title="Chart" source={source} data={evaluated[0]!.matrix} />
        </span>
      </div>
      <SeriesTable series={lines} only={only} onOnly={setOnly} />
    </>
  )
}
