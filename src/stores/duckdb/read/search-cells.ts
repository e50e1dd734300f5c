import { FacetCells } from './facet-cells.js'
import type { MemoryLimits } from './segment-memory.js'
import { SpreadCells } from './spread-cells.js'

/** What searches have counted in large segments. */
export interface SearchCells {
  readonly facets: FacetCells
  readonly spreads: SpreadCells
}

/** Without what was counted before. */
export function newSearchCells(limits: Partial<MemoryLimits> = {}): SearchCells {
  return { facets: new FacetCells(limits), spreads: new SpreadCells(limits) }
}
