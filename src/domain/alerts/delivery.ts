import type { NamespaceId } from '../ids.js'
import type { MessageType } from './channel.js'

/**
 * States of a delivery. `waiting`: attempts follow; `delivered`: a response of 2xx; `failed`: given up; `replaced`: a newer
 * message of the group took its place before it was delivered.
 */
export const DELIVERY_STATES = ['waiting', 'delivered', 'failed', 'replaced'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** One attempt to deliver a message. */
export interface DeliveryAttempt {
  readonly atMs: number
  /** Of the response; null without one. */
  readonly status: number | null
  /** Why it failed; null when it succeeded. Never has anything of the response or of the address. */
  readonly reason: string | null
  readonly tookMs: number
}

/** A message to one channel, with its attempts. */
export interface Delivery {
  /** ULID; `webhook-id` of every attempt. */
  readonly id: string
  readonly namespaceId: NamespaceId
  readonly channelId: string
  /** Key of the group; null for a test. */
  readonly groupKey: string | null
  readonly type: MessageType
  /** The bytes that every attempt sends. */
  readonly body: string
  readonly createdAtMs: number
  readonly state: DeliveryState
  /** When the next attempt is due; null unless it waits. */
  readonly nextAttemptMs: number | null
  /** Oldest first; at most `MAX_KEPT_ATTEMPTS`. */
  readonly attempts: readonly DeliveryAttempt[]
  /** Attempts of the present schedule: a retry by a user starts it again. */
  readonly tries: number
  /** Since when the present schedule runs. */
  readonly triedSinceMs: number
}

/** A delivery as lists have it: bodies are up to 4 MiB. */
export type ListedDelivery = Omit<Delivery, 'body'>

/** Attempts that a delivery keeps; more than a schedule and some retries by users have. */
export const MAX_KEPT_ATTEMPTS = 60
