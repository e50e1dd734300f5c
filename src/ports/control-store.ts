import type { AlertRules } from './alert-rules.js'
import type { AlertLeases, AlertStates } from './alert-states.js'
import type { ApiKeys } from './api-keys.js'
import type { AuditLog } from './audit-log.js'
import type { ControlChanges } from './control-changes.js'
import type { ErrorGroupDecisions } from './error-groups.js'
import type { IdempotencyKeys } from './idempotency-keys.js'
import type { IndexCatalog } from './index-catalog.js'
import type { Invitations, Members } from './members.js'
import type { ExemplarStore, MetricFactsCatalog } from './metric-notes.js'
import type { Namespaces } from './namespaces.js'
import type { Deliveries, NotificationChannels, NotificationGroups, NotificationRules } from './notifications.js'
import type { PatternCatalog } from './pattern-catalog.js'
import type { SavedMeasures } from './saved-measures.js'
import type { Preferences, SavedViews } from './saved-views.js'
import type { SeriesCatalog, StorePlaces } from './series-catalog.js'
import type { ServiceEvents } from './service-events.js'
import type { ReportedHosts } from './reported-hosts.js'
import type { RefreshTokens, SigningKeys } from './session-tokens.js'
import type { Slos } from './slos.js'
import type { StoreHealth } from './stores.js'
import type { StreamLedger } from './stream-ledger.js'
import type { UsageLedger } from './usage-ledger.js'
import type { Users } from './users.js'
import type { WaitingBoard } from './waiting-board.js'

// The control plane: small ports over one database, so that one transaction can span them.
// All times are Unix milliseconds. Writes resolve once they are crash-safe.

/** Single values that belong to the installation, e.g. the cursor secret. */
export interface Settings {
  /** The value of the key; null when it was never set. */
  get(key: string): Promise<string | null>
  /** Stores the value unless the key is taken; returns the stored one. */
  setOnce(key: string, value: string): Promise<string>
  /** Replaces the value. */
  set(key: string, value: string): Promise<void>
}

/** All ports of the control database, inside or outside of a transaction. */
export interface ControlPorts {
  /** Accounts. */
  readonly users: Users
  /** Refresh tokens of sessions. */
  readonly refreshTokens: RefreshTokens
  /** Keys that sign access tokens. */
  readonly signingKeys: SigningKeys
  /** Namespaces, deleted ones included. */
  readonly namespaces: Namespaces
  /** Who is in which namespace. */
  readonly members: Members
  /** API keys. */
  readonly apiKeys: ApiKeys
  /** Open invitations. */
  readonly invitations: Invitations
  /** Recorded actions. */
  readonly audit: AuditLog
  /** Results of requests by their idempotency keys. */
  readonly idempotency: IdempotencyKeys
  /** Usage by day. */
  readonly usage: UsageLedger
  /** Values of the installation. */
  readonly settings: Settings
  /** Decisions about groups of errors. */
  readonly errorGroups: ErrorGroupDecisions
  /** Indices of search stores. */
  readonly indices: IndexCatalog
  /** Series of managed metric stores. */
  readonly series: SeriesCatalog
  /** Which store has the records of a namespace. */
  readonly places: StorePlaces
  /** Spooled records of all gateways. */
  readonly waiting: WaitingBoard
  /** Type, help and unit of metrics. */
  readonly metricFacts: MetricFactsCatalog
  /** Exemplars of series. */
  readonly exemplars: ExemplarStore
  /** Views that members share. */
  readonly savedViews: SavedViews
  /** Preferences of users. */
  readonly preferences: Preferences
  readonly patterns: PatternCatalog
  readonly streams: StreamLedger
  /** Hosts that agents report. */
  readonly hosts: ReportedHosts
  /** Rules of alerts, and their groups. */
  readonly alertRules: AlertRules
  /** States and events of alert rules. */
  readonly alertStates: AlertStates
  /** Who evaluates which rules. */
  readonly alertLeases: AlertLeases
  /** Where notifications go. */
  readonly notificationChannels: NotificationChannels
  /** Routing, silences and mute times. */
  readonly notificationRules: NotificationRules
  /** Groups of alerts between flushes. */
  readonly notificationGroups: NotificationGroups
  /** Messages to channels. */
  readonly deliveries: Deliveries
  /** Deployments and other events of services. */
  readonly serviceEvents: ServiceEvents
  /** Service level objectives. */
  readonly slos: Slos
  /** Measures that become metrics. */
  readonly savedMeasures: SavedMeasures
}

/** The control database. `store_unavailable` when it cannot be reached. */
export interface ControlStore extends ControlPorts {
  /**
   * Runs `work` in one transaction, serialized against all other transactions, those of other instances too; rolls back
   * when it throws. A write outside of one is atomic by itself and may fall between two statements of `work`.
   */
  transaction<T>(work: (ports: ControlPorts) => Promise<T>): Promise<T>
  /** Notifications of writes; null when no other instance can write here. */
  readonly changes: ControlChanges | null
  /** Whether the database can be reached. */
  health(): Promise<Omit<StoreHealth, 'name'>>
  /** A consistent copy into `folder` while running; `unsupported_by_store` where the database has its own means. */
  backup(folder: string): Promise<void>
  /**
   * Removes deleted and overwritten values from the database's files, free pages and logs included. Does nothing on a
   * database server, which manages its own files.
   */
  purge(): Promise<void>
  /** Ends the connections. */
  close(): Promise<void>
}
