import { writeBoth, writeCompared, writeEquals, writeExists, writeIsNumber } from '../search-language/write-condition.js'
import type { Difference } from './differences.js'

/** The side that has most of the rows of a difference. */
export function evidenceSide({ effect }: Pick<Difference, 'effect'>): 'base' | 'other' {
  return effect > 0 ? 'other' : 'base'
}

/** The query that finds what a difference counts; among rows, `query` is that of their side. */
export function evidenceOf({ kind, name, value, bound }: Difference, query: string | undefined): string {
  if (kind === 'metric') return name
  if (kind === 'error_group') return writeEquals(name, value!)
  if (value === null) return writeBoth(query, bound === undefined ? writeExists(name) : writeIsNumber(name, bound))
  return writeBoth(query, kind === 'measure' ? writeCompared(name, value) : writeEquals(name, value))
}
