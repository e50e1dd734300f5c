import { groupedBy } from '../../../domain/grouped-by.js'
import { mean, sum } from '../../../domain/sums.js'
import { quantileOf } from '../functions/quantile.js'
import { type LabelSet, NAME } from '../labels.js'
import { formatValue } from '../format-value.js'
import type { Aggregation } from '../syntax/ast.js'
import { formatHistogram } from '../histograms/format-histogram.js'
import type { Bounds } from './budget.js'
import { foldMixed } from './fold-mixed.js'
import type { Fold, Group } from './group.js'
import type { Notes } from './notes.js'
import { cellAt, emptySeries, type GridSeries } from './values.js'

/** Series by the labels that the clause keeps, in the order in which the groups appear. */
export function groupSeries(series: readonly GridSeries[], { grouping, isWithout }: Aggregation): readonly Group[] {
  const labelsOf = ({ labels }: GridSeries): LabelSet => {
    return isWithout ? labels.without([...grouping, NAME]) : labels.only(grouping)
  }
  const groups = groupedBy(series, one => labelsOf(one).key)
  return Array.from(groups.values(), members => ({ labels: labelsOf(members[0]!), members }))
}

function best(values: Float64Array, isBetter: (value: number, best: number) => boolean): number {
  let found = values[0]!
  for (const value of values) if (isBetter(value, found) || Number.isNaN(found)) found = value
  return found
}

/** As Prometheus: of series it is computed without the corrected sums that it has over time. */
function variance(values: Float64Array): number {
  let average = 0
  let squares = 0
  for (let i = 0; i < values.length; i++) {
    const delta = values[i]! - average
    average += delta / (i + 1)
    squares += delta * (values[i]! - average)
  }
  return squares / values.length
}

const FOLDS: ReadonlyMap<string, Fold> = new Map<string, Fold>([
  ['sum', values => sum(values, 0, values.length)],
  ['avg', values => mean(values, 0, values.length)],
  ['count', values => values.length],
  ['group', () => 1],
  ['min', values => best(values, (value, least) => value < least)],
  ['max', values => best(values, (value, most) => value > most)],
  ['stdvar', variance],
  ['stddev', values => Math.sqrt(variance(values))]
])

/** Arguments of an aggregation besides its groups. `param` holds the quantile of each step. */
export interface FoldOptions {
  readonly count: number
  readonly param: Float64Array | null
  readonly notes: Notes
  readonly budget: Bounds
}

/** The aggregations that give one series per group. */
export function foldGroups(
  expr: Aggregation,
  groups: readonly Group[],
  { count, param, notes, budget }: FoldOptions
): GridSeries[] {
  const fold: Fold = expr.op === 'quantile' ? (values, step) => quantileOf(values, param![step]!) : FOLDS.get(expr.op)!
  return groups.map(({ labels, members }) => {
    const result = emptySeries(labels, count)
    if (members.some(({ histograms }) => histograms !== undefined)) {
      foldMixed({ labels, members }, result, { op: expr.op, position: expr.expr.position, notes, fold, budget })
      return result
    }
    const gathered = new Float64Array(members.length)
    for (let i = 0; i < count; i++) {
      let found = 0
      for (const { values, present } of members) if (present[i] === 1) gathered[found++] = values[i]!
      if (found === 0) continue
      result.values[i] = fold(gathered.subarray(0, found), i)
      result.present[i] = 1
    }
    return result
  })
}

/**
 * `count_values`: one series for each value that occurs, with the value as a label; where groups are made by that very label, it
 * has its new value already. The series are counted as they are made: only the values show how many they are.
 */
export function countValues(
  expr: Aggregation,
  groups: readonly Group[],
  label: string,
  { count, budget }: Pick<FoldOptions, 'count' | 'budget'>
): GridSeries[] {
  const results = new Map<string, GridSeries>()
  const isLeftOut = expr.isWithout && expr.grouping.includes(label)
  for (const { labels, members } of groups) {
    const byText = new Map<string, GridSeries>()
    const seriesOf = (text: string): GridSeries => {
      const named = isLeftOut ? labels : labels.with(label, text)
      let series = results.get(named.key)
      if (series === undefined) {
        budget.take(count)
        series = emptySeries(named, count)
        results.set(named.key, series)
      }
      byText.set(text, series)
      return series
    }
    for (const member of members) countInto(text => byText.get(text) ?? seriesOf(text), member)
  }
  return [...results.values()]
}

function countInto(seriesOf: (text: string) => GridSeries, member: GridSeries): void {
  for (let i = 0; i < member.values.length; i++) {
    if (member.present[i] === 0) continue
    const cell = cellAt(member, i)
    const series = seriesOf(typeof cell === 'number' ? formatValue(cell) : formatHistogram(cell))
    series.values[i]! += 1
    series.present[i] = 1
  }
}
