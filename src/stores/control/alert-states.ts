import type { Insertable, Selectable } from 'kysely'
import type { AlertEvent, AlertInstance, AlertTransition, RuleState } from '../../domain/alerts/alert-state.js'
import { FIRST_RULE_STATE } from '../../domain/alerts/alert-state.js'
import { groupedBy } from '../../domain/grouped-by.js'
import type { NamespaceId } from '../../domain/ids.js'
import type {
  AlertEventRequest,
  AlertInstanceRequest,
  AlertStates,
  EvaluationChange,
  ListedInstance,
  ShardLease
} from '../../ports/alert-states.js'
import { deleteOldEvents, listEvents, listEventsAfter, writeEvents } from './alert-events.js'
import { blockEvaluator, type KyselyAlertLeases } from './alert-leases.js'
import type { AlertInstancesTable } from './alert-schema.js'
import { labelsText, readLabels, readState, readValue, valueText } from './alert-values.js'
import type { ControlDb } from './control-db.js'
import { atomically } from './control-db.js'

/** Rows written by one statement: 12 parameters each, of at most 32,766 in a statement. */
const WRITTEN_AT_ONCE = 500
/** Ids in the condition of one statement. */
const IDS_AT_ONCE = 1_000

function toInstance(row: Selectable<AlertInstancesTable>): AlertInstance {
  return {
    fingerprint: row.fingerprint,
    labels: readLabels(row.labels),
    annotations: readLabels(row.annotations),
    state: readState(row.state),
    activeAtMs: row.active_at_ms,
    firedAtMs: row.fired_at_ms,
    keepSinceMs: row.keep_since_ms,
    resolvedAtMs: row.resolved_at_ms,
    value: readValue(row.value),
    seen: row.seen
  }
}

function instanceRow({ namespaceId, ruleId }: EvaluationChange, of: AlertInstance): Insertable<AlertInstancesTable> {
  return {
    namespace_id: namespaceId,
    rule_id: ruleId,
    fingerprint: of.fingerprint,
    labels: labelsText(of.labels),
    annotations: labelsText(of.annotations),
    state: of.state,
    active_at_ms: of.activeAtMs,
    fired_at_ms: of.firedAtMs,
    keep_since_ms: of.keepSinceMs,
    resolved_at_ms: of.resolvedAtMs,
    value: valueText(of.value),
    seen: of.seen
  }
}

/** The event that ends an instance; none for one that has ended already. */
function lastTransition(instance: AlertInstance, atMs: number): readonly AlertTransition[] {
  const { fingerprint, labels, annotations, state: from, activeAtMs: startsAtMs, value } = instance
  if (from === 'resolved' || from === 'inactive') return []
  const to = from === 'pending' ? 'inactive' : 'resolved'
  return [{ fingerprint, labels, annotations, from, to, atMs, startsAtMs, value }]
}

function* chunks<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size)
}

/** Changes whose rule is still stored in the version that was evaluated. */
async function ofPresentRules(
  db: ControlDb,
  ns: NamespaceId,
  changes: readonly EvaluationChange[]
): Promise<readonly EvaluationChange[]> {
  const versions = new Map<string, number>()
  for (const some of chunks(changes, IDS_AT_ONCE)) {
    const ids = some.map(({ ruleId }) => ruleId)
    const query = db.selectFrom('alert_rules').select(['id', 'version']).where('namespace_id', '=', ns).where('id', 'in', ids)
    for (const { id, version } of await query.execute()) versions.set(id, version)
  }
  return changes.filter(({ ruleId, ruleVersion }) => versions.get(ruleId) === ruleVersion)
}

async function writeStates(db: ControlDb, changes: readonly EvaluationChange[]): Promise<void> {
  // The last one of a rule: a statement must not write a row twice.
  const last = [...new Map(changes.map(change => [change.ruleId, change])).values()]
  for (const some of chunks(last, WRITTEN_AT_ONCE)) {
    const rows = some.map(change => ({
      namespace_id: change.namespaceId,
      rule_id: change.ruleId,
      rule_version: change.ruleVersion,
      last_eval_ms: change.lastEvalMs,
      error: change.error,
      errors_in_row: change.errorsInRow
    }))
    await db
      .insertInto('alert_rule_states')
      .values(rows)
      .onConflict(conflict =>
        conflict.columns(['namespace_id', 'rule_id']).doUpdateSet(eb => ({
          rule_version: eb.ref('excluded.rule_version'),
          last_eval_ms: eb.ref('excluded.last_eval_ms'),
          error: eb.ref('excluded.error'),
          errors_in_row: eb.ref('excluded.errors_in_row')
        }))
      )
      .execute()
  }
}

async function writeInstances(db: ControlDb, change: EvaluationChange): Promise<void> {
  for (const some of chunks(change.removed, IDS_AT_ONCE)) {
    const instances = db.deleteFrom('alert_instances').where('namespace_id', '=', change.namespaceId)
    await instances.where('rule_id', '=', change.ruleId).where('fingerprint', 'in', some).execute()
  }
  for (const some of chunks(change.changed, WRITTEN_AT_ONCE))
    await db
      .insertInto('alert_instances')
      .values(some.map(instance => instanceRow(change, instance)))
      .onConflict(conflict =>
        conflict.columns(['namespace_id', 'rule_id', 'fingerprint']).doUpdateSet(eb => ({
          labels: eb.ref('excluded.labels'),
          annotations: eb.ref('excluded.annotations'),
          state: eb.ref('excluded.state'),
          active_at_ms: eb.ref('excluded.active_at_ms'),
          fired_at_ms: eb.ref('excluded.fired_at_ms'),
          keep_since_ms: eb.ref('excluded.keep_since_ms'),
          resolved_at_ms: eb.ref('excluded.resolved_at_ms'),
          value: eb.ref('excluded.value'),
          seen: eb.ref('excluded.seen')
        }))
      )
      .execute()
}

/** `AlertStates` over Kysely, for both engines. */
export class KyselyAlertStates implements AlertStates {
  readonly #db: ControlDb
  readonly #leasesOf: (db: ControlDb) => KyselyAlertLeases

  constructor(db: ControlDb, leasesOf: (db: ControlDb) => KyselyAlertLeases) {
    this.#db = db
    this.#leasesOf = leasesOf
  }

  async load(ns: NamespaceId, ruleId: string): Promise<RuleState> {
    return (await this.states(ns, [ruleId])).get(ruleId) ?? FIRST_RULE_STATE
  }

  async states(ns: NamespaceId, ruleIds: readonly string[]): Promise<ReadonlyMap<string, RuleState>> {
    const states = new Map<string, RuleState>()
    for (const ids of chunks(ruleIds, IDS_AT_ONCE)) {
      const rules = this.#db.selectFrom('alert_rule_states').selectAll().where('namespace_id', '=', ns)
      const rows = await rules.where('rule_id', 'in', ids).execute()
      const instances = this.#db.selectFrom('alert_instances').selectAll().where('namespace_id', '=', ns)
      const all = await instances.where('rule_id', 'in', ids).orderBy('fingerprint').execute()
      const byRule = groupedBy(all, row => row.rule_id)
      for (const row of rows)
        states.set(row.rule_id, {
          lastEvalMs: row.last_eval_ms,
          instances: new Map((byRule.get(row.rule_id) ?? []).map(one => [one.fingerprint, toInstance(one)])),
          error: row.error,
          errorsInRow: row.errors_in_row
        })
    }
    return states
  }

  commit(lease: ShardLease, changes: readonly EvaluationChange[], onWritten?: () => void): Promise<boolean> {
    return atomically(this.#db, async trx => {
      if (!(await this.#leasesOf(trx).lock(lease))) return false
      for (const [ns, some] of groupedBy(changes, change => change.namespaceId)) {
        const present = await ofPresentRules(trx, ns, some)
        await writeStates(trx, present)
        for (const change of present) await writeInstances(trx, change)
        await writeEvents(trx, ns, present)
      }
      onWritten?.()
      return true
    })
  }

  end(ns: NamespaceId, ruleIds: readonly string[], atMs: number): Promise<void> {
    return atomically(this.#db, async trx => {
      await blockEvaluator(trx, ns)
      for (const ids of chunks(ruleIds, IDS_AT_ONCE)) {
        const states = await trx
          .deleteFrom('alert_rule_states')
          .where('namespace_id', '=', ns)
          .where('rule_id', 'in', ids)
          .returning(['rule_id', 'rule_version'])
          .execute()
        const instances = trx.deleteFrom('alert_instances').where('namespace_id', '=', ns).where('rule_id', 'in', ids)
        const byRule = groupedBy(await instances.returningAll().execute(), row => row.rule_id)
        const ended = states.map(({ rule_id: ruleId, rule_version: ruleVersion }) => ({
          namespaceId: ns,
          ruleId,
          ruleVersion,
          transitions: (byRule.get(ruleId) ?? []).map(toInstance).flatMap(instance => lastTransition(instance, atMs)),
          isLate: false
        }))
        await writeEvents(trx, ns, ended)
      }
    })
  }

  async instances(ns: NamespaceId, { ruleIds, states, after, limit }: AlertInstanceRequest): Promise<readonly ListedInstance[]> {
    let query = this.#db.selectFrom('alert_instances').selectAll().where('namespace_id', '=', ns)
    if (ruleIds?.length === 0 || states?.length === 0) return []
    if (ruleIds !== undefined) query = query.where('rule_id', 'in', ruleIds)
    if (states !== undefined) query = query.where('state', 'in', states)
    if (after !== undefined)
      query = query.where(eb => {
        const isLater = eb.and([eb('rule_id', '=', after.ruleId), eb('fingerprint', '>', after.fingerprint)])
        return eb.or([eb('rule_id', '>', after.ruleId), isLater])
      })
    const rows = await query.orderBy('rule_id').orderBy('fingerprint').limit(limit).execute()
    return rows.map(row => ({ ruleId: row.rule_id, instance: toInstance(row) }))
  }

  events(ns: NamespaceId, request: AlertEventRequest): Promise<readonly AlertEvent[]> {
    return listEvents(this.#db, ns, request)
  }

  eventsAfter(ns: NamespaceId, seq: number, limit: number): Promise<readonly AlertEvent[]> {
    return listEventsAfter(this.#db, ns, seq, limit)
  }

  deleteEvents(beforeMs: number, keep: number): Promise<void> {
    return deleteOldEvents(this.#db, beforeMs, keep)
  }
}
