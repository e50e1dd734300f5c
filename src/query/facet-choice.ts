/** A field of the data that could have a facet. */
interface Candidate {
  readonly name: string
  /** Rows that carry it, among those looked at. */
  readonly count: number
  readonly cardinality: number
}

/** Facets that one automatic answer holds, the well-known ones included. */
const MAX_CHOSEN = 12
/** A facet with more values is a list to search, not a choice. */
const MAX_CARDINALITY = 100
/** Below this many rows per value a field is an id or a free text. */
const MIN_ROWS_PER_VALUE = 2

function reasonAgainst({ count, cardinality }: Candidate): string | null {
  if (cardinality > MAX_CARDINALITY) return `about ${cardinality} different values`
  if (cardinality > 1 && count < cardinality * MIN_ROWS_PER_VALUE) return 'nearly every log has a different value'
  return null
}

/** Which fields get a facet when nobody named any; `candidates` come most frequent first. */
export function chooseFacets(
  known: readonly string[],
  candidates: readonly Candidate[]
): { readonly chosen: readonly string[]; readonly skipped: readonly { readonly field: string; readonly reason: string }[] } {
  const chosen = [...known]
  const skipped: { field: string; reason: string }[] = []
  for (const candidate of candidates) {
    const against = reasonAgainst(candidate)
    const reason = against ?? (chosen.length >= MAX_CHOSEN ? `at most ${MAX_CHOSEN} facets are selected automatically` : null)
    if (reason === null) chosen.push(candidate.name)
    else skipped.push({ field: candidate.name, reason })
  }
  return { chosen, skipped }
}
