import type { PromqlBounds, PromqlRequest } from '../promql-request.js'
import type { SeriesMessage } from '../series-message.js'

/** States of the shared word that signals a thread whether to go on. */
export const RUNNING = 0
/** The evaluation was cancelled. */
export const CANCELLED = 1
/** The evaluation exceeded its time. */
export const LATE = 2

/** Messages to the thread: the samples, in parts, and then the query. It evaluates one query at a time. */
export type ToThread =
  | {
      readonly kind: 'series'
      /** Which of the query's reads it belongs to. */
      readonly read: number
      readonly series: SeriesMessage
    }
  | {
      readonly kind: 'query'
      readonly request: PromqlRequest
      readonly bounds: PromqlBounds
      /** One word: `RUNNING` and the like. */
      readonly state: Int32Array
    }
  /** What was read is of no interest any more. */
  | { readonly kind: 'forget' }

/** An error as its kind and text. */
export interface ThreadFault {
  readonly kind: 'bad_query' | 'execution' | 'timeout' | 'cancelled' | 'fault'
  readonly message: string
}

/** Messages of the thread. */
export type FromThread =
  /** It has started. */
  | { readonly kind: 'ready' }
  /** The body of the result, UTF-8. */
  | { readonly kind: 'result'; readonly json: Uint8Array }
  | { readonly kind: 'failed'; readonly fault: ThreadFault }
