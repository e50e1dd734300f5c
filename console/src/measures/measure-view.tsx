import { useMemo } from 'react'
import { type AggregateFn, MeasureChartDocument, type MeasureChartQuery, type Signal } from '../api/generated/MeasureChart.js'
import { useRequest } from '../api/use-request.js'
import { seriesStyle } from '../charts/series-style.js'
import { TimeChart } from '../charts/time-chart.js'
import { formatMeasured } from '../format/measured.js'
import { formatDurationMs, formatShare, plural } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import type { FieldSource } from '../query/use-suggestions.js'
import { FactsTable } from '../tables/facts-table.js'
import { Panel } from '../ui/panel.js'
import type { TimeWindow } from '../url/time-window.js'
import { useAddress } from '../url/use-address.js'
import {
  functionName,
  groupName,
  isCounting,
  isDuration,
  isMeasurable,
  type MeasureChoice,
  measureTitle,
  readMeasure
} from './measure-choice.js'
import { MeasureForm } from './measure-form.js'
import styles from './measures.module.css'
import { SaveMeasure } from './save-measure.js'

type Result = NonNullable<MeasureChartQuery['aggregate']>

/** Groups that are drawn; the rest is one line of others. */
const GROUPS = 10
const BUCKETS = 60
const NS_PER_MS = 1_000_000
/** Prefixes that the search language adds by itself. */
const PREFIX = /^(?:log_fields|attributes)\./

/** The records that are measured. */
interface Measured {
  readonly signal: Signal
  readonly namespace: string
  readonly window: TimeWindow
  /** Search language. */
  readonly query: string
}

function formatOf(signal: Signal, { fn, field }: MeasureChoice): (value: number) => string {
  return isDuration(signal, field) && !isCounting(fn) ? value => formatDurationMs(value / NS_PER_MS) : formatMeasured
}

/** Warnings about a complete result; `Panel` has those of an incomplete one. */
function warningsOf({ stats: { complete, warnings } }: Result): readonly string[] {
  return complete ? warnings : []
}

/** A measure of the records of a search, chosen by the address: over time as a chart, and in all as a table. */
export function MeasureView<Names, Values>(
  props: Measured & {
    readonly source: FieldSource<Names, Values>
    /** What the search leaves out here. */
    readonly note?: string | null
  }
): React.JSX.Element {
  const { signal, namespace, window, query, source, note = null } = props
  const { search } = useAddress()
  const { choice } = readMeasure(search)
  const names = useRequest(source.names, { range: window, contains: null }, { namespace })
  const fields = ((names.data && source.namesOf(names.data)) ?? []).map(({ name }) => name.replace(PREFIX, ''))
  return (
    <div className={styles.view}>
      <div className={styles.head}>
        <MeasureForm choice={choice} fields={fields} />
        <SaveMeasure records={{ signal, query }} choice={choice} />
      </div>
      {note !== null && <p className={styles.note}>{note}</p>}
      {isMeasurable(choice) ? (
        <MeasurePanel measured={{ signal, namespace, window, query }} choice={choice} />
      ) : (
        <p className={styles.note}>Choose the field to measure.</p>
      )}
    </div>
  )
}

function MeasurePanel({ measured, choice }: { readonly measured: Measured; readonly choice: MeasureChoice }): React.JSX.Element {
  const { signal, namespace, window, query } = measured
  const { fn, field, groupBy } = choice
  const variables = {
    ...{ signal, range: window, query: query === '' ? null : query, buckets: BUCKETS, limit: GROUPS },
    measures: [{ fn: fn.toUpperCase() as AggregateFn, field }],
    groupBy: groupBy === null ? [] : [groupBy]
  }
  const result = useRequest(MeasureChartDocument, variables, { namespace })
  return (
    <Panel
      title={visibleText(measureTitle(choice))}
      what="measure"
      result={result}
      source={{ request: { document: MeasureChartDocument, variables } }}
      completenessOf={({ aggregate }) => aggregate?.stats}
    >
      {({ aggregate }) =>
        aggregate?.rows.some(({ measures }) => measures[0]!.value !== null) ? (
          <MeasureResult result={aggregate} choice={choice} window={window} formatValue={formatOf(signal, choice)} />
        ) : (
          <p className={styles.note}>
            Nothing in this window has a number in {visibleText(field ?? 'it')}. {aggregate && warningsOf(aggregate).join(' ')}
          </p>
        )
      }
    </Panel>
  )
}

function MeasureResult(props: {
  readonly result: Result
  readonly choice: MeasureChoice
  readonly window: TimeWindow
  readonly formatValue: (value: number) => string
}): React.JSX.Element {
  const { result, choice, window, formatValue } = props
  const { change } = useAddress()
  const { grid, rows, groups, relativeError } = result
  const series = useMemo(
    () =>
      rows.map((row, index) => ({
        ...{ name: groupName(row), samples: row.measures[0]!.values ?? [], ...seriesStyle(index) }
      })),
    [rows]
  )
  const listed = rows.filter(({ other }) => !other).length
  const notes = [
    ...(groups.value > listed
      ? [`The ${listed} largest groups of ${groups.exact ? '' : 'about '}${plural(groups.value, 'group')}.`]
      : []),
    ...(relativeError > 0 ? [`Estimated within ${formatShare(relativeError)}.`] : []),
    ...warningsOf(result)
  ]
  return (
    <>
      {grid && (
        <TimeChart
          label="Measure over time"
          grid={grid}
          series={series}
          window={window}
          formatValue={formatValue}
          height={240}
          isFromZero={isCounting(choice.fn)}
          onZoom={zoomed => change({ ...zoomed })}
        />
      )}
      {notes.length > 0 && <p className={styles.note}>{notes.join(' ')}</p>}
      <FactsTable
        label="Measured groups"
        columns={[
          { header: choice.groupBy ?? 'records', render: row => visibleText(groupName(row)) },
          {
            header: functionName(choice.fn),
            isNumeric: true,
            render: ({ measures: [measure] }) => (measure!.value === null ? '–' : formatValue(measure!.value))
          }
        ]}
        rows={rows}
        rowKey={row => JSON.stringify([row.other, row.group])}
      />
    </>
  )
}
