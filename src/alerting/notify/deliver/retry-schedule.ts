const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** Delays before the attempts of a delivery; afterwards one an hour. Source: Standard Webhooks 1.0.0, deliverability. */
const DELAYS_MS = [0, 5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 30 * MINUTE_MS]
const LATER_DELAY_MS = HOUR_MS
/** A delivery is given up when its next attempt would be later than this after its first one was due. */
export const GIVE_UP_AFTER_MS = 24 * HOUR_MS
/** The longest `Retry-After` that is obeyed; longer ones count as this. */
export const MAX_RETRY_AFTER_MS = HOUR_MS
/** A delay is extended by at most this part of it, so that deliveries that failed together do not return together. */
const JITTER = 0.1

/** A delivery whose attempt failed. */
export interface FailedTry {
  /** Attempts of its schedule, this one included. */
  readonly tries: number
  /** When its schedule began. */
  readonly sinceMs: number
  readonly nowMs: number
  /** `Retry-After` of the response; null without one. */
  readonly retryAfterMs: number | null
  /** From 0 to 1. */
  readonly random: number
}

/** When the next attempt is due; null when the delivery is given up. */
export function nextAttemptMs({ tries, sinceMs, nowMs, retryAfterMs, random }: FailedTry): number | null {
  const delayMs = (DELAYS_MS[tries] ?? LATER_DELAY_MS) * (1 + JITTER * random)
  const atMs = nowMs + Math.round(Math.max(delayMs, Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS)))
  return atMs - sinceMs > GIVE_UP_AFTER_MS ? null : atMs
}

/**
 * Milliseconds of a `Retry-After` header, in seconds or as a date (RFC 9110, section 10.2.3); null for none and for one that
 * is neither.
 */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * SECOND_MS
  const atMs = /^[A-Za-z]{3}, /.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs)
}
