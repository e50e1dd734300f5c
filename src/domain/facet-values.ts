import { fold } from './case-folding.js'
import type { FacetRequest } from './search.js'

type Listing = Pick<FacetRequest, 'prefix' | 'contains'>

/** Whether a facet lists all values, not just those with a text. */
export function listsAll({ prefix, contains }: Listing): boolean {
  return !prefix && !contains
}

/** Decides which values a facet lists. */
export function listedBy({ prefix = '', contains = '' }: Listing): (value: string) => boolean {
  const needle = fold(contains)
  return value => value.startsWith(prefix) && (needle === '' || fold(value).includes(needle))
}
