import { type LabelSet, NAME } from '../labels.js'
import { PromqlExecutionError } from '../promql-error.js'
import type { Binary } from '../syntax/ast.js'
import { isFilter, keepsName, isComparison } from '../syntax/operators.js'
import type { Bounds } from './budget.js'
import { mergeSeries } from './merge-series.js'
import { fillsOf, pairedGroups, withFill } from './fill.js'
import { bySignature } from './signature.js'
import type { Notes } from './notes.js'
import { anyPresent, bucketCountOf, cellAt, emptySeries, type GridSeries, putCell, type Cell } from './values.js'
import { operateOnHistograms } from '../functions/histogram-operators.js'

/** A binary operation, and how it works on numbers; undefined for operators that only histograms have. */
export interface CellOperation {
  readonly expr: Binary
  readonly run: ((left: number, right: number) => number) | undefined
  readonly notes: Notes
}

/** An operation between two values of any kind; `kept` is what a comparison that holds leaves. */
export function cellOf({ expr, run, notes }: CellOperation, left: Cell, right: Cell, kept: Cell): Cell | undefined {
  const { op, returnsBool, position } = expr
  const areNumbers = typeof left === 'number' && typeof right === 'number'
  if (areNumbers && run !== undefined && !isComparison(op)) return run(left, right)
  const outcome =
    areNumbers && run !== undefined ? run(left, right) !== 0 : operateOnHistograms(left, right, { op, notes, position })
  if (typeof outcome !== 'boolean') return outcome
  if (returnsBool) return Number(outcome)
  return outcome ? kept : undefined
}

const MANY_MATCHES = 'multiple matches for labels: many-to-one matching must be explicit (group_left/group_right)'
const NOT_UNIQUE = 'multiple matches for labels: grouping labels must ensure unique matches'

/** Labels of the result of one pair. */
function resultLabels(expr: Binary, many: LabelSet, one: LabelSet): LabelSet {
  const { card, isOn, labels, include } = expr.matching
  let result = keepsName(expr) ? many : many.without([NAME])
  if (card === 'one-to-one') return isOn ? result.only(labels) : result.without(labels)
  for (const name of include) result = result.with(name, one.get(name))
  return result
}

/**
 * At every step, the side that is `one` must have at most one series of a group, where the other side has any series at all
 * (null: anywhere).
 */
function checkUnique(group: readonly GridSeries[], hasOther: Uint8Array | null, side: 'left' | 'right'): void {
  if (group.length < 2) return
  const seen = new Uint8Array(group[0]!.present.length)
  for (const { present } of group) {
    for (let i = 0; i < seen.length; i++) {
      if (present[i] === 0 || hasOther?.[i] === 0) continue
      if (seen[i] === 1) {
        throw new PromqlExecutionError(
          `found duplicate series for the match group on the ${side} hand-side of the operation;` +
            'many-to-many matching not allowed: matching labels must be unique on one side'
        )
      }
      seen[i] = 1
    }
  }
}

/** What is done with two values that meet, and what bounds the pairs; no `run` for operators that only histograms have. */
interface PairOperation {
  readonly run: ((left: number, right: number) => number) | undefined
  readonly notes: Notes
  readonly budget: Bounds
}

/** Evaluates an operation between two vectors: each element with the one of the other side that matches it. */
export function matchVectors(
  expr: Binary,
  left: readonly GridSeries[],
  right: readonly GridSeries[],
  operation: PairOperation
): readonly GridSeries[] {
  const { matching } = expr
  const isSwapped = matching.card === 'one-to-many'
  const [many, one] = isSwapped ? [right, left] : [left, right]
  const fills = fillsOf(matching)
  if (many.length === 0 && (one.length === 0 || (fills.many === null && fills.one === null))) return []
  const groups = bySignature(one, matching)
  const steps = (many[0] ?? one[0]!).present.length
  const hasMany = fills.many === null && fills.one === null ? anyPresent(many, steps) : null
  for (const group of groups.values()) checkUnique(group, hasMany, isSwapped ? 'left' : 'right')
  const results: GridSeries[] = []
  const met: GridSeries[] = []
  const isChecked = isFilter(expr) && matching.card !== 'one-to-one'
  for (const group of pairedGroups(bySignature(many, matching), groups, fills)) {
    const { members, partners } = withFill(group, matching, fills)
    operation.budget.take(members.length * partners.length * steps * (isChecked ? 2 : 1))
    for (const [member, partner] of members.flatMap(own => partners.map(other => [own, other] as const))) {
      results.push(pair(expr, member, partner, isSwapped, operation))
      if (isChecked) met.push(meeting(expr, member, partner))
    }
    if (matching.card === 'one-to-one') checkOnce(members, partners)
  }
  // Twice the same labels are an error even where a comparison would leave one of them out.
  mergeSeries(met, NOT_UNIQUE)
  return mergeSeries(results, matching.card === 'one-to-one' ? MANY_MATCHES : NOT_UNIQUE)
}

function pair(
  expr: Binary,
  many: GridSeries,
  one: GridSeries,
  isSwapped: boolean,
  { run, notes, budget }: PairOperation
): GridSeries {
  const isFiltering = isFilter(expr)
  const result = emptySeries(resultLabels(expr, many.labels, one.labels), many.values.length)
  const [left, right] = isSwapped ? [one, many] : [many, one]
  const hasCells = left.histograms !== undefined || right.histograms !== undefined
  for (let i = 0; i < result.values.length; i++) {
    if (many.present[i] === 0 || one.present[i] === 0) continue
    if (hasCells || run === undefined) {
      const [from, other] = [cellAt(left, i), cellAt(right, i)]
      budget.work(bucketCountOf(from) + bucketCountOf(other))
      const cell = cellOf({ expr, run, notes }, from, other, from)
      if (cell !== undefined) putCell(result, i, cell, budget)
      continue
    }
    const value = run(left.values[i]!, right.values[i]!)
    if (isFiltering && value === 0) continue
    result.values[i] = isFiltering ? left.values[i]! : value
    result.present[i] = 1
  }
  return result
}

/** Where two series meet, under the labels of their result. */
function meeting(expr: Binary, many: GridSeries, one: GridSeries): GridSeries {
  const present = many.present.map((has, i) => has & one.present[i]!)
  return { labels: resultLabels(expr, many.labels, one.labels), values: many.values, present, histograms: undefined }
}

/** One element may match one: two of them are an error even where a comparison would leave one of them out. */
function checkOnce(members: readonly GridSeries[], partners: readonly GridSeries[]): void {
  if (members.length < 2) return
  const count = members[0]!.present.length
  for (let i = 0; i < count; i++) {
    const here = members.reduce((total, { present }) => total + present[i]!, 0)
    if (here > 1 && partners.some(({ present }) => present[i] === 1)) throw new PromqlExecutionError(MANY_MATCHES)
  }
}
