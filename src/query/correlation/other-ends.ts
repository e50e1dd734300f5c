import type { Namespace } from '../../domain/namespace.js'
import type { WindowBounds } from '../answer.js'
import type { LogSearch } from '../log-search.js'
import type { TraceSearch } from '../traces/trace-search.js'
import type { MissingEnd } from './correlation-answer.js'
import { type LookedAt, missingLogs, missingTraces } from './missing-ends.js'
import { viaOf } from './via.js'

export interface OtherEndsDeps {
  readonly logSearch: Pick<LogSearch, 'search'>
  readonly traceSearch: Pick<TraceSearch, 'search'>
  /** Whether a span of the trace is stored. */
  readonly isTraceStored: (ns: Namespace, traceId: string, signal: AbortSignal) => Promise<boolean>
}

function boundsOf({ window }: LookedAt): WindowBounds {
  return { start: String(window.startNs), end: String(window.endNs) }
}

/** Looks whether there are logs and traces at all at the other end of an anchor, and says why there are none. */
export class OtherEnds {
  readonly #deps: OtherEndsDeps

  constructor(deps: OtherEndsDeps) {
    this.#deps = deps
  }

  /** Ends at which nothing is. One question each, none where the anchor tells already. */
  async missing(at: LookedAt, signal: AbortSignal): Promise<readonly MissingEnd[]> {
    const [hasLogs, hasTraces] = await Promise.all([this.#hasLogs(at, signal), this.#hasTraces(at, signal)])
    return [...(hasLogs ? [] : [missingLogs(at)]), ...(hasTraces ? [] : [missingTraces(at)])]
  }

  async #hasLogs(at: LookedAt, signal: AbortSignal): Promise<boolean> {
    const { anchor } = at
    // The logs of every other kind were counted when it was found.
    if (anchor.kind !== 'moment') return anchor.logs > 0
    const via = viaOf(anchor)
    if (via === null) return false
    const query = { ...boundsOf(at), conditions: { [via.basis]: via.value }, limit: 1 }
    return (await this.#deps.logSearch.search(at.ns, query, signal)).rows.length > 0
  }

  async #hasTraces(at: LookedAt, signal: AbortSignal): Promise<boolean> {
    const { ns, anchor } = at
    const via = viaOf(anchor)
    if (via === null || via.basis === 'host') return false
    if (via.basis === 'trace_id') return anchor.isTraceStored ?? this.#deps.isTraceStored(ns, via.value, signal)
    const query = { ...boundsOf(at), conditions: { service: via.value }, limit: 1 }
    return (await this.#deps.traceSearch.search(ns, query, signal)).rows.length > 0
  }
}
