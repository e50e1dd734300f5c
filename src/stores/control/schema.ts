import type { HostListenersTable, HostsTable } from './host-schema.js'
import type {
  AlertEventsTable,
  AlertGroupsTable,
  AlertInstancesTable,
  AlertLeasesTable,
  AlertRulesTable,
  AlertRuleStatesTable,
  AlertRuleVersionsTable,
  AlertSequencesTable
} from './alert-schema.js'
import type { NotificationTables } from './notification-schema.js'
import type { ServiceEventsTable } from './service-event-schema.js'
import type { MeasureTables } from './measure-tables.js'
import type { SlosTable, SloVersionsTable } from './slo-schema.js'
import type { StreamGapsTable, StreamRunsTable, StreamsTable } from './stream-schema.js'

// What both engines store alike: strings, integers and 64-bit integers, which come as numbers. Booleans are 0 or 1, JSON
// is text, times are Unix milliseconds.
type Int64 = number
type Int64OrNull = number | null
/** Digits, since a number would round them; to be read with a cast to text. */
type Nanoseconds = string
/** 0 or 1. */
type Flag = number

/** Users. */
export interface UsersTable {
  id: string
  email: string
  /** The address in lower case, which is what is unique. */
  email_key: string
  name: string | null
  password_hash: string
  is_operator: Flag
  created_at_ms: Int64
}

/** Refresh tokens by family, as hashes. */
export interface RefreshTokensTable {
  id: string
  family_id: string
  user_id: string
  namespace_id: string
  secret_hash: string
  created_at_ms: Int64
  expires_at_ms: Int64
  used_at_ms: Int64OrNull
  revoked_at_ms: Int64OrNull
}

interface SigningKeysTable {
  kid: string
  private_jwk: string
  public_jwk: string
  created_at_ms: Int64
  retired_at_ms: Int64OrNull
}

/** Namespaces. */
export interface NamespacesTable {
  id: string
  name: string
  /** The name while it is not deleted, else null: what is unique. */
  live_name: string | null
  kind: string
  state: string
  retention: string
  placement: string
  search: string
  /** `LogRules` as JSON, sealed; null without any. */
  log_rules: string | null
  created_at_ms: Int64
  name_held_until_ms: Int64OrNull
}

/** Who is in which namespace. */
export interface MembersTable {
  namespace_id: string
  user_id: string
  role: string
  since_ms: Int64
}

/** API keys, as hashes. */
export interface ApiKeysTable {
  id: string
  name: string
  kind: string
  allowed_origins: string
  prefix: string
  secret_hash: string
  previous_hash: string | null
  previous_until_ms: Int64OrNull
  created_by: string
  created_at_ms: Int64
  expires_at_ms: Int64OrNull
  revoked_at_ms: Int64OrNull
  last_used_at_ms: Int64OrNull
}

interface ApiKeyNamespacesTable {
  key_id: string
  /** Order of the key's namespaces; 0 is the key's own (namespace resolution). */
  position: number
  namespace_id: string
}

/** Invitations, as hashes. */
export interface InvitationsTable {
  id: string
  namespace_id: string
  role: string
  token_hash: string
  invited_by: string
  created_at_ms: Int64
  expires_at_ms: Int64
}

interface AuditTable {
  id: string
  namespace_id: string | null
  at_ms: Int64
  actor: string | null
  action: string
  target: string | null
  detail: string
}

interface IdempotencyTable {
  scope: string
  body_hash: string
  ingest_id: string
  created_at_ms: Int64
  reply: string | null
}

/** Usage by day and signal. */
export interface UsageTable {
  namespace_id: string
  day: string
  signal: string
  stored: Int64
  rejected: Int64
  deduplicated: Int64
  dropped: Int64
  bytes: Int64
}

interface SettingsTable {
  key: string
  value: string
}

/** Indices of search stores, by namespace and generation. */
export interface StoreIndicesTable {
  index_name: string
  owner: string
  kind: string
  number: number
  from_ms: Int64
  search: string
  created_at_ms: Int64
  made_at_ms: Int64OrNull
  lost_at_ms: Int64OrNull
}

interface WaitingRecordsTable {
  gateway: string
  namespace_id: string
  signal: string
  records: Int64
  at_ms: Int64
}

/** Series of managed metric stores. */
export interface SeriesTable {
  namespace_id: string
  /** Hash of the identity. */
  key: string
  /** Name and labels. */
  identity: string
  type: string
  first_seen_ns: Nanoseconds
  last_seen_ns: Nanoseconds
}

interface StorePlacesTable {
  store: string
  namespace_id: string
  place: string
}

/** Saved views of users. */
export interface SavedViewsTable {
  namespace_id: string
  id: string
  name: string | null
  signal: string
  state: string
  updated_by: string
  updated_at_ms: Int64
  created_by: string | null
}

interface PreferencesTable {
  user_id: string
  /** JSON object. */
  preferences: string
}

interface LogPatternsTable {
  namespace_id: string
  id: string
  /** JSON: tokens, and kinds of the variable parts. */
  template: string
  first_seen_ms: Int64
  note: string | null
  muted: number
}

interface LogPatternMergesTable {
  namespace_id: string
  id: string
  into_id: string
}

interface ErrorGroupsTable {
  namespace_id: string
  fingerprint: string
  state: string
  at_ms: Int64
  by_user: string
}

interface MetricFactsTable {
  namespace_id: string
  /** Hash of the family's name. */
  name_key: string
  /** Name, kind, help and unit. */
  facts: string
}

/** Exemplars of series. */
export interface ExemplarsTable {
  namespace_id: string
  /** Hash of the identity. */
  series_key: string
  at_ns: Nanoseconds
  /** Hash of the metric's name. */
  name_key: string
  /** Name and labels of the series. */
  identity: string
  own_labels: string
  /** Digits of a double, `NaN`, `Infinity`. */
  value: string
}

/** All tables of the control database. */
export interface ControlSchema extends NotificationTables, MeasureTables {
  users: UsersTable
  refresh_tokens: RefreshTokensTable
  signing_keys: SigningKeysTable
  namespaces: NamespacesTable
  members: MembersTable
  api_keys: ApiKeysTable
  api_key_namespaces: ApiKeyNamespacesTable
  invitations: InvitationsTable
  audit: AuditTable
  idempotency: IdempotencyTable
  usage: UsageTable
  settings: SettingsTable
  store_indices: StoreIndicesTable
  series: SeriesTable
  store_places: StorePlacesTable
  waiting_records: WaitingRecordsTable
  error_groups: ErrorGroupsTable
  saved_views: SavedViewsTable
  log_patterns: LogPatternsTable
  log_pattern_merges: LogPatternMergesTable
  preferences: PreferencesTable
  metric_facts: MetricFactsTable
  exemplars: ExemplarsTable
  streams: StreamsTable
  stream_runs: StreamRunsTable
  stream_gaps: StreamGapsTable
  hosts: HostsTable
  host_listeners: HostListenersTable
  alert_groups: AlertGroupsTable
  alert_rules: AlertRulesTable
  alert_rule_versions: AlertRuleVersionsTable
  alert_rule_states: AlertRuleStatesTable
  alert_instances: AlertInstancesTable
  alert_events: AlertEventsTable
  alert_sequences: AlertSequencesTable
  alert_leases: AlertLeasesTable
  service_events: ServiceEventsTable
  slos: SlosTable
  slo_versions: SloVersionsTable
}
