import type { NamespaceId, RecordId } from '../../../domain/ids.js'
import type { TimeRange } from '../../../domain/time-range.js'
import { ID, type DocumentKind } from '../document/field-names.js'
import type { SearchContext } from './pages.js'
import type { DocumentCodec } from '../document/record-kinds.js'
import { MAX_TIME_NS, Scope, type ReadTargets } from './scope.js'
import type { SearchEngine } from './search-engine.js'

/** The dependencies of readers. */
export interface ReaderDeps {
  readonly engine: SearchEngine
  readonly targets: ReadTargets
}

/** What a read is about. */
export interface ReadOptions {
  readonly ns: NamespaceId
  readonly kind: DocumentKind
  readonly range: TimeRange
  readonly signal: AbortSignal
}

/** All that can be stored. */
export const EVERY_TIME: TimeRange = { startNs: 0n, endNs: MAX_TIME_NS + 1n }

/** Opens scopes: finds the indices with the records of a namespace. */
export class Scopes {
  readonly #deps: ReaderDeps

  constructor(deps: ReaderDeps) {
    this.#deps = deps
  }

  /** Rejects with the signal's reason when it is aborted already. */
  async open({ ns, kind, range, signal }: ReadOptions): Promise<SearchContext> {
    signal.throwIfAborted()
    const target = await this.#deps.targets.of(ns, kind)
    signal.throwIfAborted()
    return { engine: this.#deps.engine, scope: new Scope(target, range), signal }
  }

  /** One record; null when the namespace has none of this id. */
  async get<Row>(of: { readonly ns: NamespaceId; readonly id: RecordId }, kind: DocumentCodec<never, Row>): Promise<Row | null> {
    const target = await this.#deps.targets.of(of.ns, kind.kind)
    const scope = new Scope(target, EVERY_TIME)
    const body = { query: scope.confine({ term: { [ID]: of.id } }), size: 1, track_total_hits: false }
    const { hits } = await this.#deps.engine.search(target.indices, body)
    const [hit] = hits.hits
    return hit ? kind.toRecord(hit._source) : null
  }
}
