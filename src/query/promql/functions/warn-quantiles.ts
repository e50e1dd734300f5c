import type { Notes } from '../evaluate/notes.js'
import { goNumber } from '../go-number.js'
import type { QueryPosition } from '../syntax/ast.js'

/** Warns of invalid quantiles; each of them once. */
export function warnQuantiles(notes: Notes, quantiles: Float64Array, position: QueryPosition): void {
  for (const q of new Set(quantiles.filter(each => !(each >= 0 && each <= 1)))) {
    notes.warn(`quantile value should be between 0 and 1, got ${goNumber(q)}`, position)
  }
}
