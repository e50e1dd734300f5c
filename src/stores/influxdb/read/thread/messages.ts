import { type ErrorCode, GatewayError } from '../../../../domain/errors.js'
import type { TimeRange } from '../../../../domain/time-range.js'
import type { SampleWindows } from '../../../../ports/metric-store.js'
import type { InfluxConnection } from '../../client/transport.js'
import type { BucketPlace } from '../../places/bucket-places.js'
import type { PackedSamples } from '../packed-samples.js'
import type { RequestedSeriesMessage } from '../requested-series.js'

/** What a thread that reads is started with. The token goes nowhere else. */
export interface ReaderOptions extends InfluxConnection {
  /** How long one query may take. */
  readonly queryTimeoutMs: number
}

/** Which samples to read. */
export interface ReadRequest {
  readonly place: BucketPlace
  readonly range: TimeRange
  readonly series: RequestedSeriesMessage
  /** Names of the labels that a matcher mentions. */
  readonly labels: readonly string[]
  readonly maxSamples: number
  readonly windows: SampleWindows | undefined
}

/** Messages to the thread. Many reads may be in flight; each has its own id. */
export type ToReader =
  | { readonly kind: 'read'; readonly id: number; readonly request: ReadRequest }
  /** The caller has left. */
  | { readonly kind: 'abort'; readonly id: number }

/** An error in a form that a message can carry; without a code it is an internal error. */
export interface ReadFault {
  readonly code: ErrorCode | null
  readonly message: string
  readonly diagnosis?: string
  readonly retryAfterS?: number
}

/** Messages of the thread, one to each read that was not aborted. */
export type FromReader =
  | { readonly kind: 'samples'; readonly id: number; readonly samples: PackedSamples }
  | { readonly kind: 'failed'; readonly id: number; readonly fault: ReadFault }

/** For the message to the other thread. */
export function faultOf(error: unknown): ReadFault {
  if (error instanceof GatewayError) {
    const { code, message, diagnosis, retryAfterS } = error
    return { code, message, ...(diagnosis !== undefined && { diagnosis }), ...(retryAfterS !== undefined && { retryAfterS }) }
  }
  return { code: null, message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}

/** The error again, on the thread of the caller. */
export function errorOf({ code, message, ...extras }: ReadFault): Error {
  return code === null ? new Error(`reading of InfluxDB failed: ${message}`) : new GatewayError(code, message, extras)
}
