import { OVERFLOW_ID, PatternFamilies } from '../../domain/log-pattern.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { Clock } from '../../ports/clock.js'
import type { CatalogPattern, PatternCatalog } from '../../ports/pattern-catalog.js'
import { BoundedMap } from '../../threads/bounded-map.js'

/** How old the catalogue in memory may be: so long may a template of another gateway be unknown. */
export const MAX_AGE_MS = 2_000
/** How old it must be before it is read again for an unknown id. */
const LEAST_AGE_MS = 200
/** Namespaces whose catalogue is in memory. */
const MAX_NAMESPACES = 50

/** Which ids name which pattern. */
export type Families = PatternFamilies<CatalogPattern>

interface Read {
  readonly atMs: number
  readonly families: Promise<Families>
}

/** The catalogue of patterns for readers. */
export class PatternNames {
  readonly #catalog: Pick<PatternCatalog, 'all'>
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #read = new BoundedMap<NamespaceId, Read>(MAX_NAMESPACES)

  constructor(catalog: Pick<PatternCatalog, 'all'>, clock: Pick<Clock, 'monotonicMs'>) {
    this.#catalog = catalog
    this.#clock = clock
  }

  /** The patterns of a namespace; at most two seconds old. */
  families(ns: NamespaceId): Promise<Families> {
    const nowMs = this.#clock.monotonicMs()
    const read = this.#read.get(ns)
    if (read !== undefined && nowMs - read.atMs < MAX_AGE_MS) return read.families
    const families = this.#catalog.all(ns).then(({ patterns, merges }) => new PatternFamilies(patterns, merges))
    this.#read.set(ns, { atMs: nowMs, families })
    // The caller has the failure; the next one reads again.
    families.catch(() => this.#read.delete(ns))
    return families
  }

  /** As `families`; read again, at most five times a second, when one of these ids is not in memory. */
  async familiesWith(ns: NamespaceId, ids: Iterable<string>): Promise<Families> {
    const families = await this.families(ns)
    const atMs = this.#read.get(ns)?.atMs ?? 0
    for (const id of ids) {
      if (families.currentOf(id) !== undefined || id === OVERFLOW_ID) continue
      if (this.#clock.monotonicMs() - atMs < LEAST_AGE_MS) return families
      this.#read.delete(ns)
      return this.families(ns)
    }
    return families
  }

  /** Forgets what is in memory, after a decision. */
  forget(ns: NamespaceId): void {
    this.#read.delete(ns)
  }
}
