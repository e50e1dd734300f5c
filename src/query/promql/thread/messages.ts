import type { TimeRange } from '../../../domain/time-range.js'
import type { LabelMatcher } from '../../../ports/metric-store.js'
import type { PromqlBounds, PromqlQuestion } from '../promql-question.js'
import type { SeriesMessage } from '../series-message.js'

/** States of the shared word that tells a thread whether to go on. */
export const RUNNING = 0
export const CANCELLED = 1
export const LATE = 2

/** What the thread is told. It answers one question at a time. */
export type ToThread =
  | {
      readonly kind: 'question'
      readonly question: PromqlQuestion
      readonly bounds: PromqlBounds
      /** One word: `RUNNING` and the like. */
      readonly state: Int32Array
    }
  /** A part of what the thread selected. */
  | { readonly kind: 'series'; readonly series: SeriesMessage; readonly isLast: boolean }
  /** What the thread selected cannot be had; its question is of no interest any more. */
  | { readonly kind: 'refused' }

/** An error as its kind and text. */
export interface ThreadFault {
  readonly kind: 'bad_query' | 'execution' | 'timeout' | 'cancelled' | 'fault'
  readonly message: string
}

/** What the thread says. */
export type FromThread =
  | { readonly kind: 'select'; readonly matchers: readonly LabelMatcher[]; readonly range: TimeRange }
  /** The body of the answer, UTF-8. */
  | { readonly kind: 'answer'; readonly json: Uint8Array }
  | { readonly kind: 'failed'; readonly fault: ThreadFault }
