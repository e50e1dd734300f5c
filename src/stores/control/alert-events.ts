import type { Insertable, Selectable } from 'kysely'
import type { AlertEvent, AlertTransition } from '../../domain/alerts/alert-state.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { AlertEventRequest, EvaluationChange } from '../../ports/alert-states.js'
import type { AlertEventsTable } from './alert-schema.js'
import { labelsText, readLabels, readState, readValue, valueText } from './alert-values.js'
import type { ControlDb } from './control-db.js'

/** Rows written by one statement: 13 parameters each, of at most 32,766 in a statement. */
const WRITTEN_AT_ONCE = 500

function toEvent(row: Selectable<AlertEventsTable>): AlertEvent {
  return {
    seq: row.seq,
    namespaceId: row.namespace_id as NamespaceId,
    ruleId: row.rule_id,
    ruleVersion: row.rule_version,
    fingerprint: row.fingerprint,
    labels: readLabels(row.labels),
    annotations: readLabels(row.annotations),
    from: readState(row.from_state),
    to: readState(row.to_state),
    atMs: row.at_ms,
    startsAtMs: row.starts_at_ms,
    value: readValue(row.value),
    isLate: row.is_late === 1
  }
}

function eventRow(seq: number, of: WrittenTransitions, transition: AlertTransition): Insertable<AlertEventsTable> {
  return {
    namespace_id: of.namespaceId,
    seq,
    rule_id: of.ruleId,
    rule_version: of.ruleVersion,
    fingerprint: transition.fingerprint,
    labels: labelsText(transition.labels),
    annotations: labelsText(transition.annotations),
    from_state: transition.from,
    to_state: transition.to,
    at_ms: transition.atMs,
    starts_at_ms: transition.startsAtMs,
    value: valueText(transition.value),
    is_late: of.isLate ? 1 : 0
  }
}

/** Transitions that an evaluation led to, or the end of a rule. */
export type WrittenTransitions = Pick<EvaluationChange, 'namespaceId' | 'ruleId' | 'ruleVersion' | 'transitions' | 'isLate'>

/**
 * Numbers and writes the transitions of one namespace in their order. The row of the last number is locked until the
 * transaction ends, so that numbers become visible in their order.
 */
export async function writeEvents(trx: ControlDb, ns: NamespaceId, changes: readonly WrittenTransitions[]): Promise<void> {
  const transitions = changes.flatMap(change => change.transitions.map(transition => ({ change, transition })))
  if (transitions.length === 0) return
  const { last_seq: last } = await trx
    .insertInto('alert_sequences')
    .values({ namespace_id: ns, last_seq: transitions.length })
    .onConflict(conflict =>
      conflict
        .column('namespace_id')
        .doUpdateSet(eb => ({ last_seq: eb('alert_sequences.last_seq', '+', eb.ref('excluded.last_seq')) }))
    )
    .returning('last_seq')
    .executeTakeFirstOrThrow()
  const first = last - transitions.length + 1
  const rows = transitions.map(({ change, transition }, at) => eventRow(first + at, change, transition))
  for (let from = 0; from < rows.length; from += WRITTEN_AT_ONCE) {
    const some = rows.slice(from, from + WRITTEN_AT_ONCE)
    await trx.insertInto('alert_events').values(some).execute()
  }
}

/** Events by time, newest first. */
export async function listEvents(
  db: ControlDb,
  ns: NamespaceId,
  { ruleIds, fingerprint, fromMs, toMs, before, limit }: AlertEventRequest
): Promise<readonly AlertEvent[]> {
  let query = db.selectFrom('alert_events').selectAll().where('namespace_id', '=', ns)
  query = query.where('at_ms', '>=', fromMs).where('at_ms', '<', toMs)
  if (ruleIds !== undefined) {
    if (ruleIds.length === 0) return []
    query = query.where('rule_id', 'in', ruleIds)
  }
  if (fingerprint !== undefined) query = query.where('fingerprint', '=', fingerprint)
  if (before !== undefined)
    query = query.where(eb =>
      eb.or([eb('at_ms', '<', before.atMs), eb.and([eb('at_ms', '=', before.atMs), eb('seq', '<', before.seq)])])
    )
  return (await query.orderBy('at_ms', 'desc').orderBy('seq', 'desc').limit(limit).execute()).map(toEvent)
}

/** Events with a number above `seq`, in the order of their numbers. */
export async function listEventsAfter(
  db: ControlDb,
  ns: NamespaceId,
  seq: number,
  limit: number
): Promise<readonly AlertEvent[]> {
  const query = db.selectFrom('alert_events').selectAll().where('namespace_id', '=', ns).where('seq', '>', seq)
  return (await query.orderBy('seq').limit(limit).execute()).map(toEvent)
}

/** Deletes events before a time, and the oldest ones beyond `keep` of each namespace. */
export async function deleteOldEvents(db: ControlDb, beforeMs: number, keep: number): Promise<void> {
  const namespaces = await db.selectFrom('alert_sequences').selectAll().execute()
  for (const { namespace_id: ns, last_seq: last } of namespaces) {
    const events = db.deleteFrom('alert_events').where('namespace_id', '=', ns)
    await events.where(eb => eb.or([eb('at_ms', '<', beforeMs), eb('seq', '<=', last - keep)])).execute()
  }
}
