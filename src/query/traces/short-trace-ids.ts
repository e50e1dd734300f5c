import { GatewayError } from '../../domain/errors.js'
import { type Namespace, retentionStartNs } from '../../domain/namespace.js'
import { ALL_TIME } from '../../domain/time-range.js'
import { shortTraceId, traceIdSuffix } from '../../domain/trace-ids.js'
import type { Clock } from '../../ports/clock.js'
import { MAX_SUFFIXES, type TraceStore } from '../../ports/trace-store.js'
import { distinctWarnings, type Warning } from '../../domain/warning.js'

/** Traces that an error or a warning names at most. */
const MAX_NAMED = 10
/** One of them may be the trace itself, and one more shows that there are others. */
const LIMIT = MAX_NAMED + 2

/** Traces whose ids have the same last 16 digits as another id. */
export interface SuffixMatches {
  /** In ascending order, at most ten. */
  readonly traceIds: readonly string[]
  /** More traces match than `traceIds` has. */
  readonly hasMore: boolean
  /** Why traces may be missing. */
  readonly warnings: readonly Warning[]
}

const NOTHING: SuffixMatches = { traceIds: [], hasMore: false, warnings: [] }

/**
 * Finds the traces that an id of 64 bits may mean: senders that know no more keep the last 16 digits of the id (W3C Trace
 * Context, "Interoperating with existing systems which use shorter identifiers"). Retention holds at reading.
 */
export class ShortTraceIds {
  readonly #traces: Pick<TraceStore, 'traceIdsBySuffix'>
  readonly #clock: Clock

  constructor(deps: { readonly traces: Pick<TraceStore, 'traceIdsBySuffix'>; readonly clock: Clock }) {
    this.#traces = deps.traces
    this.#clock = deps.clock
  }

  /** For each canonical trace id the other stored traces with its last 16 digits. */
  async others(ns: Namespace, ids: readonly string[], signal: AbortSignal): Promise<(traceId: string) => SuffixMatches> {
    const suffixes = [...new Set(ids.filter(id => shortTraceId(id) !== null).map(traceIdSuffix))]
    const startNs = retentionStartNs(ns.retention, 'traces', this.#clock.nowNs())
    const bySuffix = new Map<string, string[]>(suffixes.map(suffix => [suffix, []]))
    const warnings: Warning[] = []
    for (let at = 0; at < suffixes.length; at += MAX_SUFFIXES) {
      const request = { range: { ...ALL_TIME, startNs }, suffixes: suffixes.slice(at, at + MAX_SUFFIXES), limit: LIMIT }
      const found = await this.#traces.traceIdsBySuffix(ns.id, request, signal)
      for (const traceId of found.traceIds) bySuffix.get(traceIdSuffix(traceId))?.push(traceId)
      warnings.push(...found.warnings)
    }
    return traceId => {
      const matches = bySuffix.get(traceIdSuffix(traceId))?.filter(id => id !== traceId)
      if (matches === undefined) return NOTHING
      return { traceIds: matches.slice(0, MAX_NAMED), hasMore: matches.length > MAX_NAMED, warnings: distinctWarnings(warnings) }
    }
  }
}

/** States that another id than the requested one was found. */
export function foundBySuffix(requested: string, found: string): string {
  return `no trace with the id ${requested} is stored; ${found} is the only one found with the same last 16 digits`
}

/** States that a trace was found by its last 16 digits and the time that the caller gave. */
export function foundNear(requested: string, found: string): string {
  return `no trace with the id ${requested} is stored; of those with the same last 16 digits only ${found} is near that time`
}

/** The error for an id that may mean any of several traces. */
export function ambiguousTraceId(requested: string, { traceIds, hasMore }: SuffixMatches): GatewayError {
  const count = hasMore ? `more than ${traceIds.length}` : traceIds.length
  const detail = `${count} traces have the last 16 digits of ${requested}: ${traceIds.join(', ')}`
  return new GatewayError('invalid_field', `${detail}; request one of them with all 32 digits`, {
    field: 'trace_id',
    suggestions: traceIds
  })
}

const SHARED = 'logs with only the last 16 digits of the trace id are included and may belong to another trace'

/**
 * Reports which other traces the logs may belong to that have only the last 16 digits of a trace id; also if none is found in a
 * store that may not find all.
 */
export function sharedLogs({ traceIds, hasMore, warnings }: SuffixMatches): readonly Warning[] {
  if (traceIds.length > 0) return [`${SHARED} with these: ${traceIds.join(', ')}${hasMore ? ' and more' : ''}`, ...warnings]
  return warnings.length > 0 ? [SHARED, ...warnings] : []
}
