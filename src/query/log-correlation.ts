import { GatewayError } from '../domain/errors.js'
import type { Namespace } from '../domain/namespace.js'
import type { LogAnswer } from './log-query.js'
import type { LogSearch } from './log-search.js'
import type { WindowBounds } from './answer.js'

export interface TraceLogsQuery extends WindowBounds {
  readonly traceId: string
  readonly spanId?: string | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export interface TraceLogsAnswer {
  readonly traceId: string
  /** Whether the trace itself is stored. */
  readonly traceFound: boolean
  readonly logs: LogAnswer
  /** Logs per span of the trace, most first. */
  readonly bySpan: readonly { readonly spanId: string; readonly count: number }[]
  /** Logs of the trace without a span. */
  readonly unlinked: number
}

/** Logs of traces: endpoint 10. */
export class LogCorrelation {
  readonly #search: LogSearch

  constructor(deps: { readonly search: LogSearch }) {
    this.#search = deps.search
  }

  /** Logs of a trace, oldest first, over the whole retention unless a window is given. */
  async ofTrace(_ns: Namespace, _query: TraceLogsQuery, _signal: AbortSignal): Promise<TraceLogsAnswer> {
    void this.#search
    throw new GatewayError('not_implemented', 'not yet')
  }
}
