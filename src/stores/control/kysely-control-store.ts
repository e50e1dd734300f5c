import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { diagnosisOf, sentenceOf } from '../../domain/errors.js'
import type { Clock } from '../../ports/clock.js'
import type { ControlChanges } from '../../ports/control-changes.js'
import type { ControlPorts, ControlStore, Settings } from '../../ports/control-store.js'
import type { StoreHealth } from '../../ports/stores.js'
import { KyselyAlertLeases } from './alert-leases.js'
import { KyselyAlertRules } from './alert-rules.js'
import { KyselyAlertStates } from './alert-states.js'
import { KyselyApiKeys } from './api-keys.js'
import { KyselyAuditLog } from './audit-log.js'
import type { ControlDb } from './control-db.js'
import { KyselyDeliveries } from './deliveries.js'
import { KyselyErrorGroups } from './error-groups.js'
import { KyselyExemplars } from './exemplars.js'
import { KyselyIdempotencyKeys } from './idempotency-keys.js'
import { KyselyIndexCatalog } from './index-catalog.js'
import { KyselyInvitations } from './invitations.js'
import { KyselyMembers } from './members.js'
import { KyselyMetricFacts } from './metric-facts.js'
import { KyselyNamespaces } from './namespaces.js'
import { KyselyNotificationChannels } from './notification-channels.js'
import { KyselyNotificationGroups } from './notification-groups.js'
import { KyselyNotificationRules } from './notification-rules.js'
import { KyselyPatternCatalog } from './pattern-catalog.js'
import { KyselyReportedHosts } from './reported-hosts.js'
import { KyselyRefreshTokens } from './refresh-tokens.js'
import { KyselySavedMeasures } from './saved-measures.js'
import { KyselyPreferences, KyselySavedViews } from './saved-views.js'
import { KyselySeriesCatalog } from './series-catalog.js'
import { KyselyServiceEvents } from './service-events.js'
import { KyselySlos } from './slos.js'
import { KyselySigningKeys } from './signing-keys.js'
import { KyselyStorePlaces } from './store-places.js'
import { KyselyStreamLedger } from './stream-ledger.js'
import { KyselyUsageLedger } from './usage-ledger.js'
import { KyselyWaitingBoard } from './waiting-board.js'
import { KyselyUsers } from './users.js'

class KyselySettings implements Settings {
  readonly #db: ControlDb

  constructor(db: ControlDb) {
    this.#db = db
  }

  async get(key: string): Promise<string | null> {
    const row = await this.#db.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst()
    return row?.value ?? null
  }

  async setOnce(key: string, value: string): Promise<string> {
    const row = await this.#db
      .insertInto('settings')
      .values({ key, value })
      .onConflict(conflict => conflict.column('key').doUpdateSet(eb => ({ key: eb.ref('excluded.key') })))
      .returning('value')
      .executeTakeFirstOrThrow()
    return row.value
  }

  async set(key: string, value: string): Promise<void> {
    await this.#db
      .insertInto('settings')
      .values({ key, value })
      .onConflict(conflict => conflict.column('key').doUpdateSet({ value }))
      .execute()
  }
}

function portsOf(db: ControlDb, nowMs: RawBuilder<number>): ControlPorts {
  const leasesOf = (of: ControlDb): KyselyAlertLeases => new KyselyAlertLeases(of, nowMs)
  return {
    users: new KyselyUsers(db),
    refreshTokens: new KyselyRefreshTokens(db),
    signingKeys: new KyselySigningKeys(db),
    namespaces: new KyselyNamespaces(db),
    members: new KyselyMembers(db),
    apiKeys: new KyselyApiKeys(db),
    invitations: new KyselyInvitations(db),
    audit: new KyselyAuditLog(db),
    idempotency: new KyselyIdempotencyKeys(db),
    usage: new KyselyUsageLedger(db),
    settings: new KyselySettings(db),
    errorGroups: new KyselyErrorGroups(db),
    indices: new KyselyIndexCatalog(db),
    series: new KyselySeriesCatalog(db),
    places: new KyselyStorePlaces(db),
    waiting: new KyselyWaitingBoard(db),
    metricFacts: new KyselyMetricFacts(db),
    exemplars: new KyselyExemplars(db),
    savedViews: new KyselySavedViews(db),
    preferences: new KyselyPreferences(db),
    patterns: new KyselyPatternCatalog(db),
    streams: new KyselyStreamLedger(db),
    hosts: new KyselyReportedHosts(db),
    alertRules: new KyselyAlertRules(db),
    alertStates: new KyselyAlertStates(db, leasesOf),
    alertLeases: leasesOf(db),
    notificationChannels: new KyselyNotificationChannels(db),
    notificationRules: new KyselyNotificationRules(db),
    notificationGroups: new KyselyNotificationGroups(db),
    deliveries: new KyselyDeliveries(db),
    serviceEvents: new KyselyServiceEvents(db),
    slos: new KyselySlos(db),
    savedMeasures: new KyselySavedMeasures(db)
  }
}

/** What an engine adds to the shared code. */
export interface ControlEngine {
  readonly db: ControlDb
  /** Unix milliseconds by the clock of the database, in SQL. */
  readonly nowMs: RawBuilder<number>
  /** One transaction after the other. */
  readonly transaction: <T>(work: (trx: ControlDb) => Promise<T>) => Promise<T>
  readonly changes: ControlChanges | null
  readonly close: () => Promise<void>
  readonly backup: (folder: string) => Promise<void>
  readonly purge: () => Promise<void>
  readonly monotonicMs: Clock['monotonicMs']
}

const BLIND = 'notifications from other gateways are not received; caches expire early'

/** The control database over Kysely; the engine serializes transactions, and its dialect names its errors. */
export class KyselyControlStore implements ControlStore {
  readonly users
  readonly refreshTokens
  readonly signingKeys
  readonly namespaces
  readonly members
  readonly apiKeys
  readonly invitations
  readonly audit
  readonly idempotency
  readonly usage
  readonly settings
  readonly errorGroups
  readonly indices
  readonly series
  readonly places
  readonly waiting
  readonly metricFacts
  readonly exemplars
  readonly savedViews
  readonly preferences
  readonly patterns
  readonly streams
  readonly hosts
  readonly alertRules
  readonly alertStates
  readonly alertLeases
  readonly notificationChannels
  readonly notificationRules
  readonly notificationGroups
  readonly deliveries
  readonly serviceEvents
  readonly slos
  readonly savedMeasures
  readonly changes
  readonly #engine: ControlEngine
  #closing: Promise<void> | null = null

  constructor(engine: ControlEngine) {
    const ports = portsOf(engine.db, engine.nowMs)
    this.#engine = engine
    this.changes = engine.changes
    this.users = ports.users
    this.refreshTokens = ports.refreshTokens
    this.signingKeys = ports.signingKeys
    this.namespaces = ports.namespaces
    this.members = ports.members
    this.apiKeys = ports.apiKeys
    this.invitations = ports.invitations
    this.audit = ports.audit
    this.idempotency = ports.idempotency
    this.usage = ports.usage
    this.settings = ports.settings
    this.errorGroups = ports.errorGroups
    this.indices = ports.indices
    this.series = ports.series
    this.places = ports.places
    this.waiting = ports.waiting
    this.metricFacts = ports.metricFacts
    this.exemplars = ports.exemplars
    this.savedViews = ports.savedViews
    this.preferences = ports.preferences
    this.patterns = ports.patterns
    this.streams = ports.streams
    this.hosts = ports.hosts
    this.alertRules = ports.alertRules
    this.alertStates = ports.alertStates
    this.alertLeases = ports.alertLeases
    this.notificationChannels = ports.notificationChannels
    this.notificationRules = ports.notificationRules
    this.notificationGroups = ports.notificationGroups
    this.deliveries = ports.deliveries
    this.serviceEvents = ports.serviceEvents
    this.slos = ports.slos
    this.savedMeasures = ports.savedMeasures
  }

  transaction<T>(work: (ports: ControlPorts) => Promise<T>): Promise<T> {
    return this.#engine.transaction(trx => work(portsOf(trx, this.#engine.nowMs)))
  }

  async health(): Promise<Omit<StoreHealth, 'name'>> {
    const start = this.#engine.monotonicMs()
    try {
      await sql`select 1`.execute(this.#engine.db)
      return {
        healthy: true,
        latencyMs: this.#engine.monotonicMs() - start,
        detail: this.changes?.isCurrent() === false ? BLIND : ''
      }
    } catch (error) {
      return { healthy: false, latencyMs: null, detail: sentenceOf(error), diagnosis: diagnosisOf(error) }
    }
  }

  backup(folder: string): Promise<void> {
    return this.#engine.backup(folder)
  }

  purge(): Promise<void> {
    return this.#engine.purge()
  }

  close(): Promise<void> {
    this.#closing ??= this.#engine.close()
    return this.#closing
  }
}
