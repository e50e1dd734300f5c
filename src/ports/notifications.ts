import type { Channel } from '../domain/alerts/channel.js'
import type { Delivery, DeliveryAttempt, DeliveryState, ListedDelivery } from '../domain/alerts/delivery.js'
import type { NotificationGroup } from '../domain/alerts/notification-group.js'
import type { MuteTime, RoutingDocument, Silence } from '../domain/alerts/silence.js'
import type { NamespaceId } from '../domain/ids.js'

// What notifications are made of, by namespace. All of it ends with the namespace.

/** Channels. */
export interface NotificationChannels {
  /** By name. */
  all(ns: NamespaceId): Promise<readonly Channel[]>
  byId(ns: NamespaceId, id: string): Promise<Channel | null>
  /** Inserts the channel, or replaces the one with its namespace and id. `name_taken` for the name of another one. */
  put(channel: Channel): Promise<void>
  /** Removes the channel with its deliveries; false when it does not exist. */
  remove(ns: NamespaceId, id: string): Promise<boolean>
  /** Channels of all namespaces, for sealing them again. */
  everywhere(): Promise<readonly Channel[]>
}

/** Routing, silences and mute times. */
export interface NotificationRules {
  /** Null before the first one is stored. */
  routing(ns: NamespaceId): Promise<RoutingDocument | null>
  /** Stores version 1, or replaces version `document.version - 1`. False when the stored version is another one. */
  putRouting(document: RoutingDocument): Promise<boolean>
  /** Silences that end after this time, by end and id. */
  silencesAfter(ns: NamespaceId, endsAfterMs: number, limit: number): Promise<readonly Silence[]>
  /** Latest end first. */
  silences(ns: NamespaceId, limit: number): Promise<readonly Silence[]>
  silence(ns: NamespaceId, id: string): Promise<Silence | null>
  /** Inserts the silence, or replaces the one with its namespace and id. */
  putSilence(silence: Silence): Promise<void>
  /** Deletes silences of all namespaces that ended before. */
  deleteSilencesBefore(endedMs: number): Promise<void>
  /** By name. */
  muteTimes(ns: NamespaceId): Promise<readonly MuteTime[]>
  putMuteTime(muteTime: MuteTime): Promise<void>
  /** False when it does not exist. */
  removeMuteTime(ns: NamespaceId, name: string): Promise<boolean>
}

/** How far the notifications of a namespace have followed its alerts. */
export interface NotifyCursor {
  /** Number of the last event that was applied. */
  readonly seq: number
  /** Version of the routing of the last step. */
  readonly routingVersion: number
}

/** Groups of alerts between flushes. */
export interface NotificationGroups {
  /** `{seq: 0, routingVersion: 0}` before the first step. */
  cursor(ns: NamespaceId): Promise<NotifyCursor>
  setCursor(ns: NamespaceId, cursor: NotifyCursor): Promise<void>
  all(ns: NamespaceId): Promise<readonly NotificationGroup[]>
  count(ns: NamespaceId): Promise<number>
  /** Those of these keys that exist. */
  byKeys(ns: NamespaceId, keys: readonly string[]): Promise<readonly NotificationGroup[]>
  /** Groups that left the routing. */
  retired(ns: NamespaceId): Promise<readonly NotificationGroup[]>
  /** Groups whose flush is due, earliest first. */
  due(ns: NamespaceId, nowMs: number, limit: number): Promise<readonly NotificationGroup[]>
  /** Keys of groups that a user acknowledged and that did not change since. */
  acked(ns: NamespaceId): Promise<readonly string[]>
  byKey(ns: NamespaceId, key: string): Promise<NotificationGroup | null>
  put(ns: NamespaceId, groups: readonly NotificationGroup[]): Promise<void>
  remove(ns: NamespaceId, keys: readonly string[]): Promise<void>
  /** Removes groups without a next flush of which no delivery waits. */
  removeEnded(ns: NamespaceId): Promise<void>
  /** Namespaces of these shards that have events after their cursor, or a group whose flush is due. */
  withWork(shards: readonly number[], nowMs: number): Promise<readonly NamespaceId[]>
}

/** How many deliveries `due` returns. */
export interface DueLimits {
  readonly perChannel: number
  readonly total: number
}

/** Deliveries of a channel before this one in the order of the list. */
export interface DeliveryPage {
  readonly channelId: string
  readonly before?: string | undefined
  readonly limit: number
}

/** Tests of a channel. */
export interface TestCount {
  readonly count: number
  /** When the first of them was created; null without any. */
  readonly firstAtMs: number | null
}

/** What an attempt changes. */
export interface DeliveryOutcome {
  readonly state: DeliveryState
  readonly attempts: readonly DeliveryAttempt[]
  readonly tries: number
  readonly nextAttemptMs: number | null
}

/** Messages to channels. */
export interface Deliveries {
  /** Inserts waiting deliveries; older ones of the same group and channel that still wait are `replaced`. */
  insert(deliveries: readonly Delivery[]): Promise<void>
  byId(ns: NamespaceId, id: string): Promise<Delivery | null>
  /** Latest first. */
  list(ns: NamespaceId, page: DeliveryPage): Promise<readonly ListedDelivery[]>
  /** Tests of a channel that were created after `afterMs`. */
  countTests(ns: NamespaceId, channelId: string, afterMs: number): Promise<TestCount>
  /** Whether its channel has a message of the same group that was created later. */
  hasNewer(delivery: ListedDelivery): Promise<boolean>
  /** Groups and channels with a waiting delivery. */
  waiting(ns: NamespaceId): Promise<readonly { readonly groupKey: string; readonly channelId: string }[]>
  /**
   * Waiting deliveries of these shards whose attempt is due, by time; of a channel at most `perChannel`.
   */
  due(shards: readonly number[], nowMs: number, limits: DueLimits): Promise<readonly ListedDelivery[]>
  /** Time of the first attempt of these shards that is due after `afterMs`; null without one. */
  nextDueMs(shards: readonly number[], afterMs: number): Promise<number | null>
  /** Writes the outcome of an attempt. A delivery that was replaced meanwhile stays so unless it was delivered. */
  record(ns: NamespaceId, id: string, outcome: DeliveryOutcome): Promise<void>
  /** Gives up all waiting deliveries of a channel. */
  giveUp(ns: NamespaceId, channelId: string): Promise<void>
  /** Starts the schedule of a delivery again that is not delivered. */
  retry(ns: NamespaceId, id: string, nowMs: number): Promise<void>
  /** Deletes ended deliveries created before, and the oldest ended ones beyond `keep` of each channel. */
  deleteOld(beforeMs: number, keep: number): Promise<void>
}
