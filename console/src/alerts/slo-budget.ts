import type { SloBudgetQuery, SloDataState } from '../api/generated/Slos.js'
import type { Samples, TimeGrid } from '../charts/chart-data.js'
import { toMs } from '../format/instant.js'

type Report = NonNullable<NonNullable<SloBudgetQuery['slo']>['report']>

const DAY_MS = 86_400_000

/** What is known of an SLO, in a word and a sentence. */
export const DATA_STATES: Readonly<Record<SloDataState, readonly [word: string, sentence: string]>> = {
  COMPLETE: ['complete', 'All of the window was counted.'],
  PARTIAL: ['partial', 'Minutes of the window were not counted.'],
  NO_TRAFFIC: ['no traffic', 'The window was counted, and there were no events.'],
  NO_DATA: ['no data', 'Nothing was counted.']
}

/** What is left of the budget at the end of each day of UTC; a gap where nothing was counted. */
export function budgetLine({ days }: Pick<Report, 'days'>): { readonly grid: TimeGrid; readonly samples: Samples } {
  let left = 1
  const samples = days.map(({ total, consumed }) => {
    left -= consumed ?? 0
    return total > 0 ? left : null
  })
  const first = days[0] ? toMs(days[0].start) : 0
  const start = new Date(first - (first % DAY_MS)).toISOString()
  return { grid: { start, stepMs: DAY_MS, length: days.length }, samples }
}

/** The rate of one of the windows; undefined when it was not counted. */
export function rateOf(
  rates: readonly { readonly window: string; readonly rate: number | null }[],
  window: string
): number | null | undefined {
  return rates.find(one => one.window === window)?.rate
}

/** A share of a budget in percent: `48 %`, `-120 %`. */
export function formatBudget(share: number): string {
  const percent = share * 100
  return `${Number(percent.toPrecision(Math.abs(percent) >= 100 ? 4 : 3))} %`
}

/** A share of good events with the digits that objectives have: `99.953 %`. */
export function formatAttained(share: number): string {
  const percent = (share * 100).toFixed(3)
  return share < 1 && percent === '100.000' ? '> 99.999 %' : `${Number(percent)} %`
}

/** A burn rate: `14.4×`. */
export function formatBurn(rate: number | null | undefined): string {
  if (rate === undefined || rate === null) return '–'
  return `${Number(rate.toPrecision(3))}×`
}
