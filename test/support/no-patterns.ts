import type { PatternCatalog } from '../../src/ports/pattern-catalog.js'

/** A catalogue without any pattern. */
export const NO_PATTERNS: Pick<PatternCatalog, 'all'> = { all: async () => ({ patterns: [], merges: [] }) }
