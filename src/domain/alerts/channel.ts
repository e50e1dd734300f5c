import type { NamespaceId, UserId } from '../ids.js'

/** Receivers that messages can be sent to. */
export const CHANNEL_KINDS = ['webhook', 'slack', 'email', 'alertmanager'] as const
export type ChannelKind = (typeof CHANNEL_KINDS)[number]

/** Body of a webhook: Standard Webhooks with data of Alertmanager's version 4, or that data alone. */
export const CHANNEL_FORMATS = ['standard', 'alertmanager'] as const
export type ChannelFormat = (typeof CHANNEL_FORMATS)[number]

/** Types of messages. A channel may take some of them only. */
export const MESSAGE_TYPES = ['alert.firing', 'alert.resolved', 'alert.nodata', 'alert.error', 'webhook.test'] as const
export type MessageType = (typeof MESSAGE_TYPES)[number]

/** How requests are signed: HMAC-SHA256 (`v1`), or ed25519 (`v1a`). Source: Standard Webhooks 1.0.0. */
export const SIGNATURE_SCHEMES = ['v1', 'v1a'] as const
export type SignatureScheme = (typeof SIGNATURE_SCHEMES)[number]

/** What an admin writes of a channel. */
export interface ChannelContent {
  /** Unique in the namespace. */
  readonly name: string
  readonly kind: ChannelKind
  readonly format: ChannelFormat
  readonly signature: SignatureScheme
  /** Types of messages that it takes; empty for all. */
  readonly events: readonly MessageType[]
  readonly isEnabled: boolean
}

/** A stored channel. `url`, `secret` and `previousSecret` are sealed: only a sender opens them. */
export interface Channel extends ChannelContent {
  readonly id: string
  readonly namespaceId: NamespaceId
  readonly url: string
  readonly secret: string
  /** Signs as well until `previousUntilMs`; null without one. */
  readonly previousSecret: string | null
  readonly previousUntilMs: number | null
  /** Why the service disabled it; null when it did not. */
  readonly disabledReason: string | null
  /** Time of the first of the attempts that failed without a success since; null when the last one succeeded. */
  readonly failingSinceMs: number | null
  readonly lastDeliveryAtMs: number | null
  /** Reason of the last attempt that failed; null after a success. */
  readonly lastError: string | null
  readonly updatedBy: UserId
  readonly updatedAtMs: number
}
