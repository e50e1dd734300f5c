import type { AggregateValues } from '../../domain/aggregate.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { Grid } from '../result.js'

const NS_PER_S = 1e9

/** The time that counts were made over. */
interface CountedTime {
  readonly range: TimeRange
  readonly grid: Grid | null
}

/** Seconds of a bucket that are in the range: the last one may reach beyond it. */
function bucketSeconds(at: number, grid: Grid, { endNs }: TimeRange): number {
  const startNs = grid.startNs + BigInt(at) * grid.stepNs
  const fullEndNs = startNs + grid.stepNs
  return Number((fullEndNs < endNs ? fullEndNs : endNs) - startNs) / NS_PER_S
}

function divided(count: number | null, seconds: number): number | null {
  return count === null || seconds <= 0 ? null : count / seconds
}

/** Turns the counts of rates into rows per second; `areRates` has for each measure whether it is one. */
export function perSecond<Values extends AggregateValues>(
  values: Values,
  areRates: readonly boolean[],
  { range, grid }: CountedTime
): Values {
  if (!areRates.includes(true)) return values
  const seconds = Number(range.endNs - range.startNs) / NS_PER_S
  return {
    ...values,
    values: values.values.map((value, i) => (areRates[i] ? divided(value, seconds) : value)),
    ...(values.series &&
      grid && {
        series: values.series.map((series, i) =>
          areRates[i] ? series.map((value, at) => divided(value, bucketSeconds(at, grid, range))) : series
        )
      })
  }
}
