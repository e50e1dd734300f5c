import type { SampledField } from './field-catalog.js'
import type { SpreadQuery } from './log-query.js'
import { cutsOf } from './number-cuts.js'

/** The limit of facets in one automatic response, including the well-known ones. */
export const MAX_CHOSEN = 12
/** The limit of fields whose numbers are summarized, next to those. */
export const MAX_CHOSEN_SPREADS = 6
/** A facet with more values is a list to search, not a choice. */
const MAX_CARDINALITY = 100
/** A facet of longer values is hard to read. */
const MAX_VALUE_CHARS = 256
/** Below this many rows per value a field is an id or a free text. */
const MIN_ROWS_PER_VALUE = 2
/** So few numbers have no range worth reading. */
const FEW_NUMBERS = 5

const NAMES = { facets: 'facets', spreads: 'ranges of numbers' } as const

type Candidate = Pick<SampledField, 'name' | 'type' | 'count' | 'cardinality' | 'longest' | 'examples' | 'numbers'>

/** Which fields get a facet by default, and of which the numbers are summarized. */
export interface FacetChoice {
  readonly facets: readonly string[]
  readonly spreads: readonly SpreadQuery[]
  /** The others, and why. */
  readonly skipped: readonly { readonly field: string; readonly reason: string }[]
}

/** What the filter has of a field: some of its values, or bounds of its numbers. */
export interface NamedFields {
  readonly hasValues: (name: string) => boolean
  readonly hasBounds: (name: string) => boolean
}

/** Whether a reader has more of the range of the numbers than of a list of them. */
function areMany({ type, count, cardinality }: Candidate): boolean {
  const areDifferent = cardinality > FEW_NUMBERS && count < cardinality * MIN_ROWS_PER_VALUE
  return type === 'number' && (cardinality > MAX_CARDINALITY || areDifferent)
}

function reasonAgainst({ count, cardinality, longest, examples }: Candidate): string | null {
  if (longest > MAX_VALUE_CHARS) return `values of up to ${longest} characters`
  if (cardinality > MAX_CARDINALITY) return `about ${cardinality} different values`
  if (cardinality === 1 && count > 1) return `always ${JSON.stringify(examples[0])}`
  if (cardinality > 1 && count < cardinality * MIN_ROWS_PER_VALUE) return 'nearly every log has a different value'
  return null
}

/** Where a field goes, or why it is skipped. */
function placeOf(field: Candidate, { hasValues, hasBounds }: NamedFields): 'facets' | 'spreads' | { readonly reason: string } {
  if (hasValues(field.name)) return 'facets'
  if (hasBounds(field.name) && field.type === 'number') return 'spreads'
  if (areMany(field)) return field.numbers?.countsUp === true ? { reason: 'numbers that count up, as ids do' } : 'spreads'
  const reason = reasonAgainst(field)
  return reason === null ? 'facets' : { reason }
}

/** Which fields get a facet by default; `candidates` come most frequent first. Those that the filter names are chosen before others. */
export function chooseFacets(known: readonly string[], candidates: readonly Candidate[], named: NamedFields): FacetChoice {
  const chosen = { facets: [...known], spreads: [] as SpreadQuery[] }
  const most = { facets: MAX_CHOSEN, spreads: MAX_CHOSEN_SPREADS }
  const skipped: { field: string; reason: string }[] = []
  const isNamed = ({ name }: Candidate) => named.hasValues(name) || named.hasBounds(name)
  const inOrder = [...candidates.filter(isNamed), ...candidates.filter(candidate => !isNamed(candidate))]
  for (const candidate of inOrder) {
    const { name: field } = candidate
    const place = placeOf(candidate, named)
    if (typeof place === 'object') skipped.push({ field, ...place })
    else if (chosen[place].length >= most[place])
      skipped.push({ field, reason: `at most ${most[place]} ${NAMES[place]} are selected automatically` })
    else if (place === 'facets') chosen.facets.push(field)
    else chosen.spreads.push({ field, cuts: cutsOf(candidate.numbers!) })
  }
  return { ...chosen, skipped }
}
