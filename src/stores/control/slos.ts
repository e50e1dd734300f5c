import type { Insertable, Selectable } from 'kysely'
import { KEPT_SLO_VERSIONS, type Slo, type SloContent } from '../../domain/alerts/slo.js'
import { GatewayError } from '../../domain/errors.js'
import type { NamespaceId, UserId } from '../../domain/ids.js'
import type { Slos } from '../../ports/slos.js'
import { atomically, type ControlDb, UniqueViolation } from './control-db.js'
import type { SlosTable } from './slo-schema.js'

type StoredContent = Omit<Selectable<SlosTable>, 'id' | 'name'>

function toSlo(id: string, row: StoredContent): Slo {
  return {
    ...(JSON.parse(row.content) as SloContent),
    id,
    namespaceId: row.namespace_id as NamespaceId,
    groupId: row.group_id,
    version: row.version,
    revision: row.revision,
    revisionSinceMs: row.revision_since_ms,
    updatedBy: row.updated_by as UserId,
    updatedAtMs: row.updated_at_ms
  }
}

function contentOf(slo: Slo): Omit<Insertable<SlosTable>, 'namespace_id' | 'id' | 'name'> {
  const {
    id: _id,
    namespaceId: _namespaceId,
    groupId,
    version,
    revision,
    revisionSinceMs,
    updatedBy,
    updatedAtMs,
    ...content
  } = slo
  return {
    group_id: groupId,
    version,
    revision,
    revision_since_ms: revisionSinceMs,
    content: JSON.stringify(content satisfies SloContent),
    updated_by: updatedBy,
    updated_at_ms: updatedAtMs
  }
}

/** False when the stored version is not the one before `slo.version`. */
async function replaceContent(db: ControlDb, slo: Slo): Promise<boolean> {
  const content = { name: slo.name, ...contentOf(slo) }
  if (slo.version === 1) {
    const added = await db
      .insertInto('slos')
      .values({ namespace_id: slo.namespaceId, id: slo.id, ...content })
      .onConflict(conflict => conflict.columns(['namespace_id', 'id']).doNothing())
      .executeTakeFirstOrThrow()
    return (added.numInsertedOrUpdatedRows ?? 0n) > 0n
  }
  const { numUpdatedRows } = await db
    .updateTable('slos')
    .set(content)
    .where('namespace_id', '=', slo.namespaceId)
    .where('id', '=', slo.id)
    .where('version', '=', slo.version - 1)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

async function keepVersion(db: ControlDb, slo: Slo): Promise<void> {
  await db
    .insertInto('slo_versions')
    .values({ namespace_id: slo.namespaceId, slo_id: slo.id, ...contentOf(slo) })
    .execute()
  await db
    .deleteFrom('slo_versions')
    .where('namespace_id', '=', slo.namespaceId)
    .where('slo_id', '=', slo.id)
    .where('version', '<=', slo.version - KEPT_SLO_VERSIONS)
    .execute()
}

/** `Slos` over Kysely, for both engines. */
export class KyselySlos implements Slos {
  readonly #db: ControlDb

  constructor(db: ControlDb) {
    this.#db = db
  }

  async list(ns: NamespaceId, limit: number): Promise<readonly Slo[]> {
    const rows = await this.#of(ns).orderBy('name').limit(limit).execute()
    return rows.map(row => toSlo(row.id, row))
  }

  async find(ns: NamespaceId, id: string): Promise<Slo | null> {
    const row = await this.#of(ns).where('id', '=', id).executeTakeFirst()
    return row ? toSlo(row.id, row) : null
  }

  async ofGroup(ns: NamespaceId, groupId: string): Promise<Slo | null> {
    const row = await this.#of(ns).where('group_id', '=', groupId).executeTakeFirst()
    return row ? toSlo(row.id, row) : null
  }

  async put(slo: Slo): Promise<boolean> {
    try {
      return await atomically(this.#db, async trx => {
        if (!(await replaceContent(trx, slo))) return false
        await keepVersion(trx, slo)
        return true
      })
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error
      throw new GatewayError('conflict', `another SLO is named ${slo.name}`, { field: 'name', cause: error })
    }
  }

  async versions(ns: NamespaceId, id: string, limit: number): Promise<readonly Slo[]> {
    const rows = await this.#db
      .selectFrom('slo_versions')
      .selectAll()
      .where('namespace_id', '=', ns)
      .where('slo_id', '=', id)
      .orderBy('version', 'desc')
      .limit(limit)
      .execute()
    return rows.map(row => toSlo(row.slo_id, row))
  }

  remove(ns: NamespaceId, id: string): Promise<boolean> {
    return atomically(this.#db, async trx => {
      await trx.deleteFrom('slo_versions').where('namespace_id', '=', ns).where('slo_id', '=', id).execute()
      const removed = trx.deleteFrom('slos').where('namespace_id', '=', ns).where('id', '=', id)
      return (await removed.executeTakeFirstOrThrow()).numDeletedRows > 0n
    })
  }

  #of(ns: NamespaceId) {
    return this.#db.selectFrom('slos').selectAll().where('namespace_id', '=', ns)
  }
}
