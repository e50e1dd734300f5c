import { isGatewayError } from '../../domain/errors.js'
import type { Namespace } from '../../domain/namespace.js'
import type { WindowBounds } from '../result.js'
import type { LogSearch } from '../log-search.js'
import type { TraceSearch } from '../traces/trace-search.js'
import { type MissingEnd, viaOf } from './correlation-result.js'
import { type LookedAt, missingLogs, missingTraces } from './missing-signals.js'
import type { Warning } from '../../domain/warning.js'

/** Dependencies of `RelatedSignals`. */
export interface RelatedSignalsDeps {
  readonly logSearch: Pick<LogSearch, 'search'>
  readonly traceSearch: Pick<TraceSearch, 'search'>
  /** Whether a span of the trace is stored. */
  readonly isTraceStored: (ns: Namespace, traceId: string, signal: AbortSignal) => Promise<boolean>
}

/** Ends at which nothing is, and sentences about those that could not be looked at. */
export interface KnownSignals {
  readonly missing: readonly MissingEnd[]
  readonly warnings: readonly Warning[]
}

/** An end whose store fails is not known: the query was about series, and their store has responded. */
async function lookAt(name: string, has: Promise<boolean>, end: () => MissingEnd, signal: AbortSignal): Promise<KnownSignals> {
  try {
    return { missing: (await has) ? [] : [end()], warnings: [] }
  } catch (error) {
    signal.throwIfAborted()
    if (!isGatewayError(error)) throw error
    return { missing: [], warnings: [`${name} could not be checked (${error.code})`] }
  }
}

function boundsOf({ window }: LookedAt): WindowBounds {
  return { start: String(window.startNs), end: String(window.endNs) }
}

/** Checks whether logs and traces of an anchor exist, and states why not. */
export class RelatedSignals {
  readonly #deps: RelatedSignalsDeps

  constructor(deps: RelatedSignalsDeps) {
    this.#deps = deps
  }

  /** One query for each related signal, none where the anchor itself decides. */
  async missing(at: LookedAt, signal: AbortSignal): Promise<KnownSignals> {
    const ends = await Promise.all([
      lookAt('logs', this.#hasLogs(at, signal), () => missingLogs(at), signal),
      lookAt('traces', this.#hasTraces(at, signal), () => missingTraces(at), signal)
    ])
    return { missing: ends.flatMap(({ missing }) => missing), warnings: ends.flatMap(({ warnings }) => warnings) }
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
