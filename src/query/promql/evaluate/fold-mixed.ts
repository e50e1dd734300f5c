import type { NativeHistogram } from '../../../domain/native-histogram/native-histogram.js'
import { averageHistograms, sumHistograms } from '../functions/sum-histograms.js'
import { NAME } from '../labels.js'
import type { QueryPosition } from '../syntax/ast.js'
import type { Fold, Group } from './group.js'
import type { Bounds } from './budget.js'
import type { Notes } from './notes.js'
import { bucketCountOf, type Cell, type GridSeries, putCell } from './values.js'

interface Folding {
  readonly op: string
  readonly fold: Fold
  readonly notes: Notes
  readonly budget: Bounds
  /** Of the expression that is aggregated. */
  readonly position: QueryPosition
}

/** What the members of a group have at one step. */
interface Step {
  readonly numbers: Float64Array
  readonly histograms: readonly NativeHistogram[]
  /** Of the histograms. */
  readonly members: readonly GridSeries[]
}

function stepOf(group: Group, step: number): Step {
  const here = group.members.filter(({ present }) => present[step] === 1)
  const members = here.filter(({ histograms }) => histograms?.[step] !== undefined)
  const numbers = here.filter(({ histograms }) => histograms?.[step] === undefined)
  return {
    numbers: Float64Array.from(numbers, ({ values }) => values[step]!),
    histograms: members.map(({ histograms }) => histograms![step]!),
    members
  }
}

function foldStep({ numbers, histograms, members }: Step, step: number, folding: Folding): Cell | undefined {
  const { op, fold, notes, position } = folding
  if (op === 'count') return numbers.length + histograms.length
  if (op === 'group') return 1
  if (op === 'sum' || op === 'avg') {
    if (numbers.length > 0 && histograms.length > 0) {
      notes.warn('encountered a mix of histograms and floats for aggregation', position)
      return undefined
    }
    const run = op === 'sum' ? sumHistograms : averageHistograms
    if (histograms.length > 0) return run(histograms, { nameAt: i => members[i]!.labels.get(NAME), notes, position })
  } else if (histograms.length > 0) notes.inform(`ignored histogram in ${op} aggregation`, position)
  return numbers.length === 0 ? undefined : fold(numbers, step)
}

/** Aggregates a group that has native histograms, step by step. */
export function foldMixed(group: Group, into: GridSeries, folding: Folding): void {
  for (let i = 0; i < into.present.length; i++) {
    const step = stepOf(group, i)
    if (step.numbers.length + step.histograms.length === 0) continue
    for (const histogram of step.histograms) folding.budget.work(bucketCountOf(histogram))
    const cell = foldStep(step, i, folding)
    if (cell !== undefined) putCell(into, i, cell, folding.budget)
  }
}
