/**
 * How substrings of messages are found: `exact` indexes positions (every result exact), `approximate` a set of trigrams
 * (rows are verified, counts may be too high and are marked so), `off` refuses `contains` as `unsupported_by_store`.
 */
export const SUBSTRING_SEARCHES = ['exact', 'approximate', 'off'] as const
/** One of `SUBSTRING_SEARCHES`. */
export type SubstringSearch = (typeof SUBSTRING_SEARCHES)[number]

/** Who shares an index: one namespace alone, or all of a pool, kept apart by a mandatory filter. */
export const PLACEMENTS = ['dedicated', 'pooled'] as const
/** One of `PLACEMENTS`. */
export type Placement = (typeof PLACEMENTS)[number]

/** How a namespace is in a search store: `placement` is fixed when it is made, `search` holds from the next index on. The embedded store heeds neither. */
export interface StoragePlan {
  readonly placement: Placement
  readonly search: SubstringSearch
}

/** A cluster makes few indices a second and holds about a thousand: those of single persons share theirs. */
export const DEFAULT_STORAGE: Readonly<Record<'personal' | 'team', StoragePlan>> = {
  personal: { placement: 'pooled', search: 'exact' },
  team: { placement: 'dedicated', search: 'exact' }
}
