// Tables of notifications. 64-bit integers are read as numbers; times are Unix milliseconds.

/** Channels. */
export interface NotificationChannelsTable {
  namespace_id: string
  id: string
  name: string
  /** JSON of kind, format, signature, events and whether it is enabled. */
  content: string
  /** Sealed, as are the secrets. */
  url: string
  secret: string
  previous_secret: string | null
  previous_until_ms: number | null
  disabled_reason: string | null
  failing_since_ms: number | null
  last_delivery_ms: number | null
  last_error: string | null
  updated_by: string
  updated_at_ms: number
}

/** Present routing of namespaces. */
interface AlertRoutingTable {
  namespace_id: string
  version: number
  /** JSON. */
  document: string
  updated_by: string
  updated_at_ms: number
}

/** Silences. */
export interface SilencesTable {
  namespace_id: string
  id: string
  /** JSON list of matchers. */
  matchers: string
  starts_at_ms: number
  ends_at_ms: number
  comment: string
  created_by: string
  updated_at_ms: number
}

/** Mute times. */
interface MuteTimesTable {
  namespace_id: string
  name: string
  /** JSON. */
  intervals: string
}

/** How far notifications have followed the events of a namespace. */
interface NotificationCursorsTable {
  namespace_id: string
  seq: number
  routing_version: number
}

/** Groups of alerts between flushes. */
interface NotificationGroupsTable {
  namespace_id: string
  /** SHA-256 of the key, which may be long. */
  key_hash: string
  /** JSON of `NotificationGroup`. */
  content: string
  next_flush_ms: number | null
  /** 1 for a group that left the routing. */
  is_retired: number
}

/** Messages to channels. */
export interface DeliveriesTable {
  namespace_id: string
  id: string
  channel_id: string
  group_key: string | null
  group_hash: string | null
  /** `shardOf` of the namespace. */
  shard: number
  type: string
  body: string
  created_at_ms: number
  state: string
  /** Null unless it waits. */
  next_attempt_ms: number | null
  /** JSON list of attempts. */
  attempts: string
  tries: number
  tried_since_ms: number
}

/** All tables of notifications. */
export interface NotificationTables {
  notification_channels: NotificationChannelsTable
  alert_routing: AlertRoutingTable
  silences: SilencesTable
  mute_times: MuteTimesTable
  notification_cursors: NotificationCursorsTable
  notification_groups: NotificationGroupsTable
  deliveries: DeliveriesTable
}
