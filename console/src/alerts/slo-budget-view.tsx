import { useMemo } from 'react'
import type { SloBudgetQuery } from '../api/generated/Slos.js'
import { TimeChart } from '../charts/time-chart.js'
import type { Threshold } from '../charts/time-plot.js'
import { formatCompact, plural } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { Instant } from '../ui/instant.js'
import layout from '../ui/page-layout.module.css'
import { budgetLine, DATA_STATES, formatAttained, formatBudget, formatBurn } from './slo-budget.js'
import slos from './slos.module.css'

type Report = NonNullable<NonNullable<SloBudgetQuery['slo']>['report']>

const SPENT: readonly Threshold[] = [{ name: 'spent', value: 0, colour: 'var(--level-error)' }]

/** The error budget of an SLO: its figures, what was not counted, and what was left by day. */
export function SloBudget({ report }: { readonly report: Report }): React.JSX.Element {
  const { state, attained, budgetLeft, total, bad, exhaustedAt, missingMinutes, countedSince, burnRates, stats } = report
  return (
    <>
      {state !== 'COMPLETE' && (
        <p role="status" className={layout.note}>
          {state === 'PARTIAL'
            ? `${plural(missingMinutes, 'minute')} of the window were not counted; the figures cover the others. `
            : `${DATA_STATES[state][1]} `}
          {countedSince && (
            <>
              Counted since <Instant value={countedSince} />.
            </>
          )}
        </p>
      )}
      {stats.warnings.map(warning => (
        <p key={warning} className={layout.note}>
          {visibleText(warning)}
        </p>
      ))}
      <dl className={slos.figures}>
        <Figure name="Attained" value={attained === null ? '–' : formatAttained(attained)} />
        <Figure name="Budget left" value={budgetLeft === null ? '–' : formatBudget(budgetLeft)} />
        <Figure name="Bad events" value={`${formatCompact(bad)} of ${formatCompact(total)}`} />
        <Figure name="Spent at this rate" value={exhaustedAt ? <Instant value={exhaustedAt} /> : '–'} />
        {burnRates.map(({ window, rate }) => (
          <Figure key={window} name={`Burn ${window}`} value={formatBurn(rate)} />
        ))}
      </dl>
      {total > 0 && <BudgetChart report={report} />}
    </>
  )
}

function Figure({ name, value }: { readonly name: string; readonly value: React.ReactNode }): React.JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

function BudgetChart({ report }: { readonly report: Report }): React.JSX.Element {
  const { grid, series, window } = useMemo(() => {
    const line = budgetLine(report)
    return {
      grid: line.grid,
      series: [{ name: 'Budget left', samples: line.samples, colour: 'var(--series-1)' }],
      window: { from: line.grid.start, to: report.end }
    }
  }, [report])
  return (
    <div className={slos.chart}>
      <h3>Budget left by day (UTC)</h3>
      <TimeChart
        label="Budget left"
        grid={grid}
        series={series}
        thresholds={SPENT}
        window={window}
        formatValue={formatBudget}
        height={160}
      />
    </div>
  )
}
