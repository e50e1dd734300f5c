import type { FacetResult } from '../../domain/search.js'
import { compareBinned } from '../statistics/binned-ranks.js'
import { fieldName, type Vocabulary } from '../vocabulary.js'
import type { ComparedField } from './compared-fields.js'
import type { Compared } from './differences.js'
import type { SideCounts, ValueCounts } from './side-counts.js'

/** Both sides. */
interface Sides<T> {
  readonly base: T
  readonly other: T
}

const PATTERN = 'pattern_id'

function listedOn(facets: readonly FacetResult[]): readonly string[] {
  return [...new Set(facets.flatMap(({ values }) => values.map(({ value }) => value)))]
}

/** The number of values of a facet; null when it listed all of them. */
export function cutOf({ values, distinct }: FacetResult): string | null {
  if (distinct.value <= values.length && distinct.relation === 'eq') return null
  return distinct.relation === 'eq' ? String(distinct.value) : `at least ${distinct.value}`
}

function presenceOf(name: string, facets: Sides<FacetResult>, { base, other }: Sides<SideCounts>): Compared {
  const count = other.rows - facets.other.missing
  const baseCount = base.rows - facets.base.missing
  return { kind: 'field_value', name, value: null, count, baseCount, total: other.rows, baseTotal: base.rows }
}

/** Values of fields, their presence, and patterns; `notes`: fields of which some values were not compared. */
export function comparedValues(
  sides: Sides<SideCounts>,
  counts: Sides<readonly ValueCounts[]>,
  vocabulary: Vocabulary
): { readonly compared: readonly Compared[]; readonly notes: readonly string[] } {
  const compared: Compared[] = []
  const notes: string[] = []
  for (const [i, base] of sides.base.facets.entries()) {
    const other = sides.other.facets[i]!
    const isPattern = base.field.in === 'known' && base.field.name === PATTERN
    const name = fieldName(vocabulary, base.field)
    const cut = cutOf(other) ?? cutOf(base)
    if (cut !== null) notes.push(`${name} has ${cut} values; the most frequent ${other.values.length} of each side were compared`)
    // Logs from before patterns have none; shares are of those that have one.
    const totals = isPattern
      ? { total: sides.other.rows - other.missing, baseTotal: sides.base.rows - base.missing }
      : { total: sides.other.rows, baseTotal: sides.base.rows }
    for (const value of listedOn([base, other])) {
      const [count, baseCount] = [counts.other[i]!(value), counts.base[i]!(value)]
      if (count === null || baseCount === null) continue
      compared.push({ kind: isPattern ? 'pattern' : 'field_value', name, value, count, baseCount, ...totals })
    }
    if (!isPattern && listedOn([base, other]).length > 1) compared.push(presenceOf(name, { base, other }, sides))
  }
  return { compared, notes }
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Numbers of measures: the tail that grew, and whether rows have one at all. */
export function comparedMeasures({ base, other }: Sides<SideCounts>, measures: readonly ComparedField[]): readonly Compared[] {
  return measures.flatMap(({ name, bounds = [] }, i): readonly Compared[] => {
    const [counts, baseCounts] = [other.distributions[i]!.counts, base.distributions[i]!.counts]
    const [total, baseTotal] = [sumOf(counts), sumOf(baseCounts)]
    const presence = {
      kind: 'field_value',
      name,
      value: null,
      bound: bounds[0]!,
      total: other.rows,
      baseTotal: base.rows
    } as const
    const present = { ...presence, count: Math.min(total, other.rows), baseCount: Math.min(baseTotal, base.rows) }
    const ranks = compareBinned(counts, baseCounts)
    if (ranks === null) return [present]
    const below = (all: readonly number[]) => sumOf(all.slice(0, ranks.cut + 1))
    const bound = bounds[ranks.cut]!
    const tail =
      ranks.delta > 0
        ? { value: `>=${bound}`, count: total - below(counts), baseCount: baseTotal - below(baseCounts) }
        : { value: `<${bound}`, count: below(counts), baseCount: below(baseCounts) }
    return [present, { kind: 'measure', name, ...tail, total, baseTotal, ranks }]
  })
}
