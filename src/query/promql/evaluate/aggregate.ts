import { KahanSum } from '../functions/kahan.js'
import { quantileOf } from '../functions/quantile.js'
import { mean } from '../functions/over-time.js'
import { type LabelSet, NAME } from '../labels.js'
import { formatValue } from '../format-value.js'
import type { Aggregation } from '../syntax/ast.js'
import { emptySeries, type GridSeries } from './values.js'

/** A group of series and the labels that they have in common. */
export interface Group {
  readonly labels: LabelSet
  readonly members: readonly GridSeries[]
}

/** Series by the labels that the clause keeps, in the order in which the groups appear. */
export function groupSeries(series: readonly GridSeries[], { grouping, isWithout }: Aggregation): readonly Group[] {
  const groups = new Map<string, { labels: LabelSet; members: GridSeries[] }>()
  for (const one of series) {
    const labels = isWithout ? one.labels.without([...grouping, NAME]) : one.labels.only(grouping)
    const group = groups.get(labels.key)
    if (group === undefined) groups.set(labels.key, { labels, members: [one] })
    else group.members.push(one)
  }
  return [...groups.values()]
}

/** A function of the values of a group at one step; there is at least one. */
type Fold = (values: Float64Array, step: number) => number

function best(values: Float64Array, isBetter: (value: number, best: number) => boolean): number {
  let found = values[0]!
  for (const value of values) if (isBetter(value, found) || Number.isNaN(found)) found = value
  return found
}

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

function sum(values: Float64Array): number {
  const total = new KahanSum()
  for (const value of values) total.add(value)
  return total.value
}

const FOLDS: ReadonlyMap<string, Fold> = new Map<string, Fold>([
  ['sum', sum],
  ['avg', values => mean(values, 0, values.length)],
  ['count', values => values.length],
  ['group', () => 1],
  ['min', values => best(values, (value, least) => value < least)],
  ['max', values => best(values, (value, most) => value > most)],
  ['stdvar', variance],
  ['stddev', values => Math.sqrt(variance(values))]
])

/** The aggregations that give one series per group. `param` holds the quantile of each step. */
export function foldGroups(expr: Aggregation, groups: readonly Group[], count: number, param: Float64Array | null): GridSeries[] {
  const fold: Fold = expr.op === 'quantile' ? (values, step) => quantileOf(values, param![step]!) : FOLDS.get(expr.op)!
  return groups.map(({ labels, members }) => {
    const result = emptySeries(labels, count)
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

/** `count_values`: one series for each value that occurs, under a label that says it. */
export function countValues(groups: readonly Group[], count: number, label: string): GridSeries[] {
  return groups.flatMap(({ labels, members }) => {
    const byValue = new Map<string, GridSeries>()
    for (const member of members) countInto(byValue, member, text => emptySeries(labels.with(label, text), count))
    return [...byValue.values()]
  })
}

function countInto(
  byValue: Map<string, GridSeries>,
  { values, present }: GridSeries,
  create: (text: string) => GridSeries
): void {
  for (let i = 0; i < values.length; i++) {
    if (present[i] === 0) continue
    const text = formatValue(values[i]!)
    const series = byValue.get(text) ?? create(text)
    byValue.set(text, series)
    series.values[i]! += 1
    series.present[i] = 1
  }
}
