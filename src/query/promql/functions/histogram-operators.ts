import { equalHistograms, type NativeHistogram } from '../../../domain/native-histogram/native-histogram.js'
import type { Notes } from '../evaluate/notes.js'
import type { Cell } from '../evaluate/values.js'
import { goQuoted } from '../go-quote.js'
import { HistogramSum } from '../histograms/histogram-sum.js'
import { divide, multiply } from '../histograms/scale.js'
import { trimHistogram } from '../histograms/trim.js'
import type { QueryPosition } from '../syntax/ast.js'
import { hintCollision, reconciledBounds } from './histogram-notes.js'

/** What an operator between two values gives: another one, whether a comparison holds, or nothing. */
export type Outcome = Cell | boolean | undefined

interface Operation {
  readonly op: string
  readonly notes: Notes
  readonly position: QueryPosition
}

function typeName(cell: Cell): string {
  return typeof cell === 'number' ? 'float' : 'histogram'
}

function sumOf(left: NativeHistogram, right: NativeHistogram, { op, notes, position }: Operation): Outcome {
  const isSum = op === '+'
  const sum = new HistogramSum(left)
  if (!sum.add(right, isSum ? 1 : -1)) {
    notes.warn(`incompatible bucket layout encountered for binary operator ${op}`, position)
    return undefined
  }
  const during = isSum ? 'addition' : 'subtraction'
  if (sum.hasHintCollision) {
    notes.warn(hintCollision(during), position)
    return undefined
  }
  if (sum.hasOtherBounds) notes.inform(reconciledBounds(during), position)
  return isSum ? sum.value : { ...sum.value, hint: 'gauge' }
}

function scaled(left: Cell, right: Cell, op: string): Outcome {
  if (op === '*' && typeof left === 'number' && typeof right !== 'number') return multiply(right, left)
  if (typeof left === 'number' || typeof right !== 'number') return undefined
  if (op === '*') return multiply(left, right)
  if (op === '/') return divide(left, right)
  if (op === '</') return trimHistogram(left, right, 'below')
  return op === '>/' ? trimHistogram(left, right, 'above') : undefined
}

function between(left: NativeHistogram, right: NativeHistogram, operation: Operation): Outcome {
  switch (operation.op) {
    case '+':
    case '-':
      return sumOf(left, right, operation)
    case '==':
      return equalHistograms(left, right)
    case '!=':
      return !equalHistograms(left, right)
    default:
      return undefined
  }
}

const BETWEEN_HISTOGRAMS: ReadonlySet<string> = new Set(['+', '-', '==', '!='])

/** An operator between two values of which one at least is a native histogram, or one that only histograms have. */
export function operateOnHistograms(left: Cell, right: Cell, operation: Operation): Outcome {
  const { op, notes, position } = operation
  const areBoth = typeof left !== 'number' && typeof right !== 'number'
  if (areBoth && BETWEEN_HISTOGRAMS.has(op)) return between(left, right, operation)
  const found = areBoth ? undefined : scaled(left, right, op)
  if (found === undefined) {
    const types = `${typeName(left)} ${op} ${typeName(right)}`
    notes.inform(`incompatible sample types encountered for binary operator ${goQuoted(op)}: ${types}`, position)
  }
  return found
}
