import type { Channel, ChannelContent } from '../../../domain/alerts/channel.js'
import { mailDomain } from '../../../domain/mail-address.js'
import type { Role } from '../../../domain/role.js'

/** A channel as callers see it: without its secrets. */
export interface ChannelView extends ChannelContent {
  readonly id: string
  /** The URL or address for admins, else its origin or domain: paths and queries may carry credentials. The URL of Slack is one. */
  readonly target: string
  readonly disabledReason: string | null
  readonly lastDeliveryAtMs: number | null
  readonly lastError: string | null
  readonly updatedAtMs: number
}

function shownTarget({ kind }: Channel, url: string, role: Role | null): string {
  if (role === 'admin' && kind !== 'slack') return url
  return kind === 'email' ? `…@${mailDomain(url)}` : `${new URL(url).origin}/…`
}

/** What a caller of this role sees of a channel whose URL is open. */
export function channelView(channel: Channel, url: string, role: Role | null): ChannelView {
  const { id, name, kind, format, signature, events, isEnabled } = channel
  const { disabledReason, lastDeliveryAtMs, lastError, updatedAtMs } = channel
  const content = { name, kind, format, signature, events, isEnabled }
  return { ...content, id, target: shownTarget(channel, url, role), disabledReason, lastDeliveryAtMs, lastError, updatedAtMs }
}
