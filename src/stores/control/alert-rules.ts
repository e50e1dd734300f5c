import type { Insertable, Selectable } from 'kysely'
import type { AlertGroup, AlertRule, AlertRuleContent } from '../../domain/alerts/alert-rule.js'
import { KEPT_RULE_VERSIONS } from '../../domain/alerts/alert-rule.js'
import { shardOf } from '../../domain/alerts/shard.js'
import { GatewayError } from '../../domain/errors.js'
import type { NamespaceId, UserId } from '../../domain/ids.js'
import type { AlertRules, ShardRule } from '../../ports/alert-rules.js'
import { blockEvaluator } from './alert-leases.js'
import type { AlertGroupsTable, AlertRulesTable } from './alert-schema.js'
import type { ControlDb } from './control-db.js'
import { atomically, UniqueViolation } from './control-db.js'

/** Tables whose rows end with their rule. Events stay. */
const TABLES_OF_A_RULE = ['alert_rule_versions', 'alert_rule_states', 'alert_instances'] as const

function toGroup(row: Selectable<AlertGroupsTable>): AlertGroup {
  return {
    id: row.id,
    namespaceId: row.namespace_id as NamespaceId,
    name: row.name,
    intervalMs: row.interval_ms,
    limit: row.instance_limit,
    queryOffsetMs: row.query_offset_ms
  }
}

type StoredContent = Pick<
  Selectable<AlertRulesTable>,
  'namespace_id' | 'group_id' | 'position' | 'version' | 'content' | 'updated_by' | 'updated_at_ms'
>

function toRule(id: string, row: StoredContent): AlertRule {
  return {
    ...(JSON.parse(row.content) as AlertRuleContent),
    id,
    namespaceId: row.namespace_id as NamespaceId,
    groupId: row.group_id,
    position: row.position,
    version: row.version,
    updatedBy: row.updated_by as UserId,
    updatedAtMs: row.updated_at_ms
  }
}

function contentOf(rule: AlertRule): Omit<Insertable<AlertRulesTable>, 'namespace_id' | 'id'> {
  const { id: _id, namespaceId: _namespaceId, groupId, position, version, updatedBy, updatedAtMs, ...content } = rule
  return {
    group_id: groupId,
    position,
    version,
    enabled: rule.enabled ? 1 : 0,
    content: JSON.stringify(content satisfies AlertRuleContent),
    updated_by: updatedBy,
    updated_at_ms: updatedAtMs
  }
}

/** False when the stored version is not the one before `rule.version`. */
async function replaceContent(db: ControlDb, rule: AlertRule): Promise<boolean> {
  const content = contentOf(rule)
  if (rule.version === 1) {
    const added = await db
      .insertInto('alert_rules')
      .values({ namespace_id: rule.namespaceId, id: rule.id, ...content })
      .onConflict(conflict => conflict.columns(['namespace_id', 'id']).doNothing())
      .executeTakeFirstOrThrow()
    return (added.numInsertedOrUpdatedRows ?? 0n) > 0n
  }
  const { numUpdatedRows } = await db
    .updateTable('alert_rules')
    .set(content)
    .where('namespace_id', '=', rule.namespaceId)
    .where('id', '=', rule.id)
    .where('version', '=', rule.version - 1)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

async function keepVersion(db: ControlDb, rule: AlertRule): Promise<void> {
  const { enabled: _enabled, ...content } = contentOf(rule)
  await db
    .insertInto('alert_rule_versions')
    .values({ namespace_id: rule.namespaceId, rule_id: rule.id, ...content })
    .execute()
  await db
    .deleteFrom('alert_rule_versions')
    .where('namespace_id', '=', rule.namespaceId)
    .where('rule_id', '=', rule.id)
    .where('version', '<=', rule.version - KEPT_RULE_VERSIONS)
    .execute()
}

async function removeRules(db: ControlDb, ns: NamespaceId, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  for (const table of TABLES_OF_A_RULE)
    await db.deleteFrom(table).where('namespace_id', '=', ns).where('rule_id', 'in', ids).execute()
}

/** `AlertRules` over Kysely, for both engines. */
export class KyselyAlertRules implements AlertRules {
  readonly #db: ControlDb

  constructor(db: ControlDb) {
    this.#db = db
  }

  async groups(ns: NamespaceId, limit: number): Promise<readonly AlertGroup[]> {
    return (await this.#groups(ns).orderBy('name').limit(limit).execute()).map(toGroup)
  }

  async group(ns: NamespaceId, id: string): Promise<AlertGroup | null> {
    const row = await this.#groups(ns).where('id', '=', id).executeTakeFirst()
    return row ? toGroup(row) : null
  }

  async putGroup({ namespaceId, id, name, intervalMs, limit, queryOffsetMs }: AlertGroup): Promise<void> {
    const content = { name, interval_ms: intervalMs, instance_limit: limit, query_offset_ms: queryOffsetMs }
    try {
      await this.#db
        .insertInto('alert_groups')
        .values({ namespace_id: namespaceId, id, shard: shardOf(namespaceId), ...content })
        .onConflict(conflict => conflict.columns(['namespace_id', 'id']).doUpdateSet(content))
        .execute()
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error
      throw new GatewayError('conflict', `another group is named ${name}`, { field: 'name', cause: error })
    }
  }

  removeGroup(ns: NamespaceId, id: string): Promise<boolean> {
    return atomically(this.#db, async trx => {
      await blockEvaluator(trx, ns)
      const rules = trx.deleteFrom('alert_rules').where('namespace_id', '=', ns).where('group_id', '=', id)
      const removed = await rules.returning('id').execute()
      await removeRules(
        trx,
        ns,
        removed.map(rule => rule.id)
      )
      const group = trx.deleteFrom('alert_groups').where('namespace_id', '=', ns).where('id', '=', id)
      return (await group.executeTakeFirstOrThrow()).numDeletedRows > 0n
    })
  }

  async rules(ns: NamespaceId, limit: number): Promise<readonly AlertRule[]> {
    const rows = await this.#withGroups()
      .where('alert_rules.namespace_id', '=', ns)
      .orderBy('alert_groups.name')
      .orderBy('alert_rules.position')
      .orderBy('alert_rules.id')
      .limit(limit)
      .execute()
    return rows.map(row => toRule(row.id, row))
  }

  async rule(ns: NamespaceId, id: string): Promise<AlertRule | null> {
    const query = this.#db.selectFrom('alert_rules').selectAll().where('namespace_id', '=', ns).where('id', '=', id)
    const row = await query.executeTakeFirst()
    return row ? toRule(row.id, row) : null
  }

  async withIds(ns: NamespaceId, ids: readonly string[]): Promise<readonly AlertRule[]> {
    if (ids.length === 0) return []
    const query = this.#db.selectFrom('alert_rules').selectAll().where('namespace_id', '=', ns).where('id', 'in', ids)
    return (await query.execute()).map(row => toRule(row.id, row))
  }

  async countRules(ns: NamespaceId): Promise<number> {
    const counted = await this.#db
      .selectFrom('alert_rules')
      .select(({ fn }) => fn.countAll().as('rules'))
      .where('namespace_id', '=', ns)
      .executeTakeFirst()
    return Number(counted?.rules ?? 0)
  }

  putRule(rule: AlertRule): Promise<boolean> {
    return atomically(this.#db, async trx => {
      await blockEvaluator(trx, rule.namespaceId)
      if (!(await replaceContent(trx, rule))) return false
      await keepVersion(trx, rule)
      return true
    })
  }

  async versions(ns: NamespaceId, ruleId: string, limit: number): Promise<readonly AlertRule[]> {
    const rows = await this.#db
      .selectFrom('alert_rule_versions')
      .selectAll()
      .where('namespace_id', '=', ns)
      .where('rule_id', '=', ruleId)
      .orderBy('version', 'desc')
      .limit(limit)
      .execute()
    return rows.map(row => toRule(row.rule_id, row))
  }

  removeRule(ns: NamespaceId, id: string): Promise<boolean> {
    return atomically(this.#db, async trx => {
      await blockEvaluator(trx, ns)
      await removeRules(trx, ns, [id])
      const rule = trx.deleteFrom('alert_rules').where('namespace_id', '=', ns).where('id', '=', id)
      return (await rule.executeTakeFirstOrThrow()).numDeletedRows > 0n
    })
  }

  async ofShard(shard: number): Promise<readonly ShardRule[]> {
    const groups = await this.#db.selectFrom('alert_groups').selectAll().where('shard', '=', shard).execute()
    const byKey = new Map(groups.map(row => [`${row.namespace_id} ${row.id}`, toGroup(row)]))
    const rows = await this.#withGroups()
      .where('alert_groups.shard', '=', shard)
      .where('alert_rules.enabled', '=', 1)
      .orderBy('alert_rules.namespace_id')
      .orderBy('alert_groups.name')
      .orderBy('alert_rules.position')
      .orderBy('alert_rules.id')
      .execute()
    return rows.flatMap(row => {
      // A group that was removed between the two reads takes its rules with it.
      const group = byKey.get(`${row.namespace_id} ${row.group_id}`)
      return group ? [{ group, rule: toRule(row.id, row) }] : []
    })
  }

  #groups(ns: NamespaceId) {
    return this.#db.selectFrom('alert_groups').selectAll().where('namespace_id', '=', ns)
  }

  #withGroups() {
    return this.#db
      .selectFrom('alert_rules')
      .innerJoin('alert_groups', join =>
        join
          .onRef('alert_groups.namespace_id', '=', 'alert_rules.namespace_id')
          .onRef('alert_groups.id', '=', 'alert_rules.group_id')
      )
      .selectAll('alert_rules')
  }
}
