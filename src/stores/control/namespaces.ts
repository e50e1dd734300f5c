import type { Selectable } from 'kysely'
import { GatewayError } from '../../domain/errors.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { Namespace, NamespaceKind, NamespaceState, Retention } from '../../domain/namespace.js'
import { NAME_HELD_MS } from '../../domain/namespace.js'
import type { Placement, SubstringSearch } from '../../domain/storage-plan.js'
import type { NamespaceRecord, Namespaces } from '../../ports/namespaces.js'
import { blockEvaluator } from './alert-leases.js'
import type { ControlDb } from './control-db.js'
import { atomically, UniqueViolation } from './control-db.js'
import type { NamespacesTable } from './schema.js'

/** Tables whose rows end with their namespace. */
const TABLES_THAT_END = [
  'series',
  'error_groups',
  'metric_facts',
  'exemplars',
  'saved_views',
  'log_patterns',
  'log_pattern_merges',
  'streams',
  'stream_runs',
  'stream_gaps',
  'hosts',
  'host_listeners',
  'alert_groups',
  'alert_rules',
  'alert_rule_versions',
  'alert_rule_states',
  'alert_instances',
  'alert_events',
  'alert_sequences',
  'notification_channels',
  'alert_routing',
  'silences',
  'mute_times',
  'notification_cursors',
  'notification_groups',
  'deliveries',
  'service_events',
  'slos',
  'slo_versions',
  'saved_measures'
] as const

function toNamespace(row: Selectable<NamespacesTable>): NamespaceRecord {
  return {
    id: row.id as NamespaceId,
    name: row.name,
    kind: row.kind as NamespaceKind,
    state: row.state as NamespaceState,
    retention: JSON.parse(row.retention) as Retention,
    storage: { placement: row.placement as Placement, search: row.search as SubstringSearch },
    ...(row.log_rules !== null && { logRules: row.log_rules }),
    createdAtMs: row.created_at_ms,
    nameHeldUntilMs: row.name_held_until_ms
  }
}

/** `Namespaces` over Kysely, for both engines. */
export class KyselyNamespaces implements Namespaces {
  readonly #db: ControlDb

  constructor(db: ControlDb) {
    this.#db = db
  }

  insert(namespace: Namespace, tombstone?: string): Promise<void> {
    return atomically(this.#db, async trx => {
      await refuseReservedName(trx, namespace, tombstone)
      await insertRow(trx, namespace)
    })
  }

  async byId(id: NamespaceId): Promise<NamespaceRecord | null> {
    const row = await this.#db.selectFrom('namespaces').selectAll().where('id', '=', id).executeTakeFirst()
    return row ? toNamespace(row) : null
  }

  async all(): Promise<readonly NamespaceRecord[]> {
    const rows = await this.#db.selectFrom('namespaces').selectAll().orderBy('created_at_ms').orderBy('id').execute()
    return rows.map(toNamespace)
  }

  setState(id: NamespaceId, state: NamespaceState, atMs: number): Promise<void> {
    const letGo = { live_name: null, log_rules: null, name_held_until_ms: atMs + NAME_HELD_MS }
    return atomically(this.#db, async trx => {
      await trx
        .updateTable('namespaces')
        .set({ state, ...(state === 'deleted' ? letGo : {}) })
        .where('id', '=', id)
        .execute()
      if (state !== 'deleted') return
      await blockEvaluator(trx, id)
      for (const table of TABLES_THAT_END) await trx.deleteFrom(table).where('namespace_id', '=', id).execute()
    })
  }

  forgetNames(id: NamespaceId, tombstone: string): Promise<void> {
    return atomically(this.#db, async trx => {
      const row = await trx
        .selectFrom('namespaces')
        .select('name')
        .where('id', '=', id)
        .where('state', '=', 'deleted')
        .executeTakeFirst()
      if (!row || row.name === tombstone) return
      // A name has no characters that mean something to LIKE.
      await trx.deleteFrom('idempotency').where('reply', 'like', `%"namespace":"${row.name}"%`).execute()
      await trx.updateTable('namespaces').set({ name: tombstone }).where('id', '=', id).execute()
      await trx.updateTable('audit').set({ detail: '{}' }).where('namespace_id', '=', id).execute()
      await forgetKeyNames(trx, id)
    })
  }

  async reserveName(id: NamespaceId, untilMs: number): Promise<void> {
    await this.#db
      .updateTable('namespaces')
      .set({ name_held_until_ms: untilMs })
      .where('id', '=', id)
      .where('name_held_until_ms', '<', untilMs)
      .execute()
  }

  async setRetention(id: NamespaceId, retention: Retention): Promise<void> {
    await this.#db
      .updateTable('namespaces')
      .set({ retention: JSON.stringify(retention) })
      .where('id', '=', id)
      .execute()
  }

  async setSearch(id: NamespaceId, search: SubstringSearch): Promise<void> {
    await this.#db.updateTable('namespaces').set({ search }).where('id', '=', id).execute()
  }

  async setLogRules(id: NamespaceId, rules: string | null): Promise<void> {
    await this.#db.updateTable('namespaces').set({ log_rules: rules }).where('id', '=', id).execute()
  }
}

/** Of keys that lead to no namespace which is left. */
async function forgetKeyNames(db: ControlDb, id: NamespaceId): Promise<void> {
  const others = db
    .selectFrom('api_key_namespaces as other')
    .innerJoin('namespaces', 'namespaces.id', 'other.namespace_id')
    .select('other.key_id')
    .where('namespaces.state', '!=', 'deleted')
  const keys = db
    .selectFrom('api_key_namespaces')
    .select('key_id')
    .where('namespace_id', '=', id)
    .where('key_id', 'not in', others)
  await db.updateTable('api_keys').set({ name: '', allowed_origins: '[]' }).where('id', 'in', keys).execute()
}

async function refuseReservedName(db: ControlDb, { name, createdAtMs }: Namespace, tombstone = name): Promise<void> {
  const row = await db
    .selectFrom('namespaces')
    .select(['state', 'name_held_until_ms'])
    .where('name', 'in', [name, tombstone])
    .where(eb => eb.or([eb('live_name', '=', name), eb('name_held_until_ms', '>', createdAtMs)]))
    .orderBy('created_at_ms', 'desc')
    .executeTakeFirst()
  if (!row) return
  if (row.state !== 'deleted') throw nameTaken(name)
  const until = new Date(row.name_held_until_ms ?? 0).toISOString()
  throw new GatewayError('name_reserved', `the name ${name} belonged to a deleted namespace and is reserved until ${until}`, {
    field: 'name'
  })
}

async function insertRow(db: ControlDb, namespace: Namespace): Promise<void> {
  const row = {
    id: namespace.id,
    name: namespace.name,
    live_name: namespace.state === 'deleted' ? null : namespace.name,
    kind: namespace.kind,
    state: namespace.state,
    retention: JSON.stringify(namespace.retention),
    ...namespace.storage,
    log_rules: namespace.logRules ?? null,
    created_at_ms: namespace.createdAtMs,
    name_held_until_ms: null
  }
  try {
    await db.insertInto('namespaces').values(row).execute()
  } catch (error) {
    if (error instanceof UniqueViolation) throw nameTaken(namespace.name, error)
    throw error
  }
}

function nameTaken(name: string, cause?: unknown): GatewayError {
  return new GatewayError('name_taken', `a namespace named ${name} already exists`, { field: 'name', cause })
}
