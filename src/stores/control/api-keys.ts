import type { Insertable, Selectable } from 'kysely'
import type { KeyId, NamespaceId, UserId } from '../../domain/ids.js'
import type { KeyKind } from '../../domain/principal.js'
import type { ApiKey, ApiKeys } from '../../ports/api-keys.js'
import type { ControlDb } from './control-db.js'
import { atomically } from './control-db.js'
import type { ApiKeysTable } from './schema.js'

type KeyRow = Selectable<ApiKeysTable>

function toKey(row: KeyRow, namespaces: readonly NamespaceId[]): ApiKey {
  return {
    id: row.id as KeyId,
    name: row.name,
    kind: row.kind as KeyKind,
    namespaces,
    allowedOrigins: JSON.parse(row.allowed_origins) as string[],
    prefix: row.prefix,
    secretHash: row.secret_hash,
    previousHash: row.previous_hash,
    previousUntilMs: row.previous_until_ms,
    createdBy: row.created_by as UserId,
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    revokedAtMs: row.revoked_at_ms,
    lastUsedAtMs: row.last_used_at_ms
  }
}

function toRow(key: ApiKey): Insertable<ApiKeysTable> {
  return {
    id: key.id,
    name: key.name,
    kind: key.kind,
    allowed_origins: JSON.stringify(key.allowedOrigins),
    prefix: key.prefix,
    secret_hash: key.secretHash,
    previous_hash: key.previousHash,
    previous_until_ms: key.previousUntilMs,
    created_by: key.createdBy,
    created_at_ms: key.createdAtMs,
    expires_at_ms: key.expiresAtMs,
    revoked_at_ms: key.revokedAtMs,
    last_used_at_ms: key.lastUsedAtMs
  }
}

async function withNamespaces(db: ControlDb, rows: readonly KeyRow[]): Promise<readonly ApiKey[]> {
  if (rows.length === 0) return []
  const ids = rows.map(row => row.id)
  const links = await db.selectFrom('api_key_namespaces').selectAll().where('key_id', 'in', ids).orderBy('position').execute()
  const byKey = new Map<string, NamespaceId[]>(ids.map(id => [id, []]))
  for (const link of links) byKey.get(link.key_id)?.push(link.namespace_id as NamespaceId)
  return rows.map(row => toKey(row, byKey.get(row.id) ?? []))
}

/** `ApiKeys` over Kysely, for both engines. */
export class KyselyApiKeys implements ApiKeys {
  readonly #db: ControlDb

  constructor(db: ControlDb) {
    this.#db = db
  }

  insert(key: ApiKey): Promise<void> {
    return atomically(this.#db, async trx => {
      await trx.insertInto('api_keys').values(toRow(key)).execute()
      const links = key.namespaces.map((namespace_id, position) => ({ key_id: key.id, position, namespace_id }))
      if (links.length > 0) await trx.insertInto('api_key_namespaces').values(links).execute()
    })
  }

  async byId(id: KeyId): Promise<ApiKey | null> {
    const rows = await this.#db.selectFrom('api_keys').selectAll().where('id', '=', id).execute()
    return (await withNamespaces(this.#db, rows))[0] ?? null
  }

  async byHash(secretHash: string): Promise<ApiKey | null> {
    const rows = await this.#db
      .selectFrom('api_keys')
      .selectAll()
      .where(eb => eb.or([eb('secret_hash', '=', secretHash), eb('previous_hash', '=', secretHash)]))
      .execute()
    return (await withNamespaces(this.#db, rows))[0] ?? null
  }

  async of(namespaceId: NamespaceId): Promise<readonly ApiKey[]> {
    const rows = await this.#db
      .selectFrom('api_keys')
      .selectAll()
      .where('id', 'in', eb => eb.selectFrom('api_key_namespaces').select('key_id').where('namespace_id', '=', namespaceId))
      .orderBy('created_at_ms', 'desc')
      .orderBy('id', 'desc')
      .execute()
    return withNamespaces(this.#db, rows)
  }

  async unbound(): Promise<readonly ApiKey[]> {
    const rows = await this.#db
      .selectFrom('api_keys')
      .selectAll()
      .where('id', 'not in', eb => eb.selectFrom('api_key_namespaces').select('key_id'))
      .orderBy('created_at_ms', 'desc')
      .orderBy('id', 'desc')
      .execute()
    return rows.map(row => toKey(row, []))
  }

  async rotate(id: KeyId, secret: { hash: string; prefix: string }, previousUntilMs: number): Promise<void> {
    await this.#db
      .updateTable('api_keys')
      .set(eb => ({
        previous_hash: eb.ref('secret_hash'),
        previous_until_ms: previousUntilMs,
        secret_hash: secret.hash,
        prefix: secret.prefix
      }))
      .where('id', '=', id)
      .execute()
  }

  async revoke(id: KeyId, atMs: number): Promise<void> {
    await this.#db
      .updateTable('api_keys')
      .set({ revoked_at_ms: atMs })
      .where('id', '=', id)
      .where('revoked_at_ms', 'is', null)
      .execute()
  }

  touch(uses: ReadonlyMap<KeyId, number>): Promise<void> {
    // In one order, so that gateways that touch the same keys do not wait for each other in a circle.
    const ordered = [...uses].sort(([a], [b]) => (a < b ? -1 : 1))
    return atomically(this.#db, async trx => {
      for (const [id, atMs] of ordered) {
        await trx
          .updateTable('api_keys')
          .set({ last_used_at_ms: atMs })
          .where('id', '=', id)
          .where(eb => eb.or([eb('last_used_at_ms', 'is', null), eb('last_used_at_ms', '<', atMs)]))
          .execute()
      }
    })
  }
}
