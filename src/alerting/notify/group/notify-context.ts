import type { MessageType } from '../../../domain/alerts/channel.js'
import type { Label } from '../../../domain/metric-point.js'
import type { RouteTree, Routing } from '../route/routing.js'

/** A channel as groups see it. */
export interface GroupChannel {
  readonly id: string
  readonly isEnabled: boolean
  /** Whether it takes alerts of this type. */
  readonly takes: (type: MessageType) => boolean
  /**
   * How often the channel gets the firing alerts of a group, whatever its route sets; null for the intervals of the
   * route. An Alertmanager forgets alerts that are not sent again.
   */
  readonly resendMs: number | null
}

/** What decides on notifications besides the alerts: the configuration of a namespace at one time. */
export interface NotifyContext {
  readonly routing: Routing
  readonly tree: RouteTree
  /** By name. */
  readonly channels: ReadonlyMap<string, GroupChannel>
  /** Whether an active silence matches the labels. */
  readonly isSilenced: (labels: readonly Label[]) => boolean
  /** Whether the mute time of this name contains the present time. */
  readonly isMuted: (muteTime: string) => boolean
  /** Whether the last message of a group to a channel is neither delivered nor given up. */
  readonly isWaiting: (groupKey: string, channelId: string) => boolean
}
