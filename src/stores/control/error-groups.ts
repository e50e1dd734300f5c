import { ERROR_GROUP_DECISIONS, type ErrorGroupDecision } from '../../domain/error-group.js'
import type { NamespaceId, UserId } from '../../domain/ids.js'
import type { DecidedErrorGroup, ErrorGroupDecisions } from '../../ports/error-groups.js'
import type { ControlDb } from './control-db.js'

function decisionOf(text: string): ErrorGroupDecision {
  // A later version may have written a state that this one does not know.
  return ERROR_GROUP_DECISIONS.find(decision => decision === text) ?? 'open'
}

/** `ErrorGroupDecisions` over Kysely, for both engines. */
export class KyselyErrorGroups implements ErrorGroupDecisions {
  readonly #db: ControlDb

  constructor(db: ControlDb) {
    this.#db = db
  }

  async set({ namespaceId, fingerprint, state, atMs, by }: DecidedErrorGroup): Promise<void> {
    const decided = { state, at_ms: atMs, by_user: by }
    await this.#db
      .insertInto('error_groups')
      .values({ namespace_id: namespaceId, fingerprint, ...decided })
      .onConflict(conflict => conflict.columns(['namespace_id', 'fingerprint']).doUpdateSet(decided))
      .execute()
  }

  async of(ns: NamespaceId, fingerprints: readonly string[]): Promise<readonly DecidedErrorGroup[]> {
    if (fingerprints.length === 0) return []
    const rows = await this.#db
      .selectFrom('error_groups')
      .selectAll()
      .where('namespace_id', '=', ns)
      .where('fingerprint', 'in', fingerprints)
      .execute()
    return rows.map(row => ({
      namespaceId: row.namespace_id as NamespaceId,
      fingerprint: row.fingerprint,
      state: decisionOf(row.state),
      atMs: row.at_ms,
      by: row.by_user as UserId
    }))
  }
}
