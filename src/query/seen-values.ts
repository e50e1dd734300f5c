import type { FacetResult, FacetValue } from '../domain/search.js'

/** A value of a facet with the time at which it was last seen. */
export type SeenValue = Required<FacetValue>

/** The values of a facet that was requested with `lastSeen`; none without it. */
export function seenValues(facet: Pick<FacetResult, 'values'> | undefined): readonly SeenValue[] {
  return facet?.values.filter((value): value is SeenValue => value.lastSeenNs !== undefined) ?? []
}
