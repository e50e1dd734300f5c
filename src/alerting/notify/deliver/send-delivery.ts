import type { Channel } from '../../../domain/alerts/channel.js'
import { type Delivery, MAX_KEPT_ATTEMPTS } from '../../../domain/alerts/delivery.js'
import type { DeliveryOutcome } from '../../../ports/notifications.js'
import { signatureHeaders } from '../message/standard-webhook.js'
import type { PostResult, TargetPost } from '../target/target-client.js'
import type { ChannelSecrets } from '../sealed-channels.js'
import { nextAttemptMs, parseRetryAfter } from './retry-schedule.js'

/** Path at which an Alertmanager takes alerts, below its address. */
const ALERTMANAGER_PATH = '/api/v2/alerts'
/** After this long without a success a channel is disabled. */
export const DISABLE_AFTER_MS = 3 * 86_400_000
/** Status of a receiver that wants nothing any more. Source: Standard Webhooks 1.0.0, deliverability. */
const GONE = 410

/** The address that requests to a channel have. */
export function targetOf({ kind }: Pick<Channel, 'kind'>, url: string): string {
  if (kind !== 'alertmanager') return url
  const target = new URL(url)
  target.pathname = target.pathname.replace(/\/+$/, '') + ALERTMANAGER_PATH
  return target.href
}

/** The request of one attempt; webhooks are signed over the bytes of the body. */
export function requestOf(
  channel: Pick<Channel, 'kind' | 'previousUntilMs'>,
  { url, secret, previousSecret }: ChannelSecrets,
  delivery: Pick<Delivery, 'id' | 'body'>,
  nowMs: number
): TargetPost {
  const body = Buffer.from(delivery.body)
  if (channel.kind !== 'webhook') return { url: targetOf(channel, url), headers: {}, body }
  const isRotating = previousSecret !== null && nowMs < (channel.previousUntilMs ?? 0)
  const secrets = isRotating ? [secret, previousSecret] : [secret]
  return { url, headers: signatureHeaders({ id: delivery.id, atMs: nowMs, body, secrets }), body }
}

/** The end of one attempt. */
interface EndedAttempt {
  readonly atMs: number
  readonly result: PostResult
  /** From 0 to 1. */
  readonly random: number
}

/** What an attempt makes of its delivery. */
export function outcomeOf(delivery: Delivery, { atMs, result, random }: EndedAttempt): DeliveryOutcome {
  const { status, reason, retryAfter } = result
  const tries = delivery.tries + 1
  const attempts = [...delivery.attempts, { atMs, status, reason, tookMs: result.tookMs }].slice(-MAX_KEPT_ATTEMPTS)
  if (reason === null) return { state: 'delivered', attempts, tries, nextAttemptMs: null }
  // A test is one attempt: who made it reads its outcome.
  if (status === GONE || result.isFinal === true || delivery.type === 'webhook.test')
    return { state: 'failed', attempts, tries, nextAttemptMs: null }
  const nowMs = Math.round(atMs + result.tookMs)
  const retryAfterMs = parseRetryAfter(retryAfter, nowMs)
  const next = nextAttemptMs({ tries, sinceMs: delivery.triedSinceMs, nowMs, retryAfterMs, random })
  return { state: next === null ? 'failed' : 'waiting', attempts, tries, nextAttemptMs: next }
}

/** What an attempt makes of its channel: its last error, and whether the service disables it. */
export function channelAfter(channel: Channel, { atMs, result }: Pick<EndedAttempt, 'atMs' | 'result'>): Channel {
  const { status, reason } = result
  if (reason === null) return { ...channel, failingSinceMs: null, lastDeliveryAtMs: atMs, lastError: null }
  const failingSinceMs = channel.failingSinceMs ?? atMs
  const disabledReason =
    status === GONE
      ? 'status 410: the receiver is gone'
      : atMs - failingSinceMs >= DISABLE_AFTER_MS
        ? `no attempt succeeded in 3 days; the last one failed with: ${reason}`
        : channel.disabledReason
  return { ...channel, failingSinceMs, lastError: reason, disabledReason }
}
