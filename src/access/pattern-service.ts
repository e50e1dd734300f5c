import { GatewayError } from '../domain/errors.js'
import { PatternFamilies } from '../domain/log-pattern.js'
import type { Namespace } from '../domain/namespace.js'
import type { UserPrincipal } from '../domain/principal.js'
import type { ControlStore } from '../ports/control-store.js'
import type { PatternDecision } from '../ports/pattern-catalog.js'
import type { AuditTrail } from './audit-service.js'
import type { Authorizer } from './authorizer.js'

/** Characters of a note. */
export const MAX_NOTE_CHARS = 4_096

export interface PatternServiceDeps {
  readonly store: ControlStore
  readonly audit: AuditTrail
  readonly authorizer: Authorizer
}

/** Notes on patterns of logs, and which of them are muted. */
export class PatternService {
  readonly #deps: PatternServiceDeps

  constructor(deps: PatternServiceDeps) {
    this.#deps = deps
  }

  /**
   * For members and above. `id` is any one of the pattern; the decision is stored with all of them, so that it survives
   * merges. `not_found` when the namespace has no pattern of this id. What is absent is left as it is; an empty note
   * removes it. Written to the audit log.
   */
  async decide(principal: UserPrincipal, ns: Namespace, id: string, { note, muted }: PatternDecision): Promise<void> {
    const { store, audit, authorizer } = this.#deps
    await authorizer.requireRole(principal, ns.id, 'member')
    if ((note?.length ?? 0) > MAX_NOTE_CHARS) {
      throw new GatewayError('invalid_field', `note must not exceed ${MAX_NOTE_CHARS} characters`, { field: 'note' })
    }
    const decision = { ...(note !== undefined && { note: note === '' ? null : note }), ...(muted !== undefined && { muted }) }
    await store.transaction(async ports => {
      const { patterns, merges } = await ports.patterns.all(ns.id)
      const ids = new PatternFamilies(patterns, merges).idsOf(id)
      if (!(await ports.patterns.decide(ns.id, ids, decision))) {
        throw new GatewayError('not_found', 'no pattern of this namespace has this id', { field: 'id' })
      }
      const event = { action: 'log_pattern.decided', namespaceId: ns.id, actor: principal.userId } as const
      await audit.record(ports, { ...event, target: id, detail: muted === undefined ? {} : { muted } })
    })
  }
}
