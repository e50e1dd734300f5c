import type { ErrorCode } from '../../domain/errors.js'
import { GatewayError, isGatewayError } from '../../domain/errors.js'
import type { AppendResult } from '../../ports/append.js'
import type { Timers } from '../../ports/timers.js'

/** How an append to the engine ended. */
export type AppendAttempt =
  | { readonly kind: 'stored'; readonly result: AppendResult }
  /**
   * The engine stored nothing, or it is unknown whether it did: to be repeated with the same ingest id.
   * `isSilent` when it did not respond; `late` settles when a result after the timeout has arrived.
   */
  | { readonly kind: 'outage'; readonly error: GatewayError; readonly isSilent: boolean; readonly late: Promise<unknown> | null }
  /** The namespace is gone: the records need no repetition. */
  | { readonly kind: 'deleted'; readonly error: GatewayError }
  /** An error of no known kind; a repetition may or may not help. */
  | { readonly kind: 'fault'; readonly error: unknown }

/** Refusals after which the records are kept here and sent again. */
const OUTAGES: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['store_unavailable', 'overloaded', 'storage_full'])

function tooLate(timeoutMs: number): GatewayError {
  return new GatewayError('store_unavailable', `the store did not respond within ${timeoutMs} ms`, { retryAfterS: 5 })
}

function ofError(error: unknown): AppendAttempt {
  if (!isGatewayError(error)) return { kind: 'fault', error }
  if (OUTAGES.has(error.code))
    return { kind: 'outage', error, isSilent: error.code === 'store_unavailable' && !error.isResponse, late: null }
  if (error.code === 'namespace_deleted') return { kind: 'deleted', error }
  return { kind: 'fault', error }
}

/** Calls `append` and waits for its end, but no longer than `timeoutMs`. Never rejects. */
export async function attempt(append: () => Promise<AppendResult>, timeoutMs: number, timers: Timers): Promise<AppendAttempt> {
  const response = (async () => append())().then((result): AppendAttempt => ({ kind: 'stored', result }), ofError)
  let cancel = (): void => undefined
  const late = new Promise<AppendAttempt>(resolve => {
    cancel = timers.after(timeoutMs, () => resolve({ kind: 'outage', error: tooLate(timeoutMs), isSilent: true, late: response }))
  })
  const first = await Promise.race([response, late])
  cancel()
  return first
}
