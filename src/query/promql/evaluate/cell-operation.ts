import { operateOnHistograms } from '../functions/histogram-operators.js'
import type { Binary } from '../syntax/ast.js'
import { isComparison } from '../syntax/operators.js'
import type { Notes } from './notes.js'
import type { Cell } from './values.js'

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
