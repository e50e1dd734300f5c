import { GatewayError } from '../domain/errors.js'
import type { ErrorGroupDecision } from '../domain/error-group.js'
import type { Namespace } from '../domain/namespace.js'
import type { UserPrincipal } from '../domain/principal.js'
import type { Clock } from '../ports/clock.js'
import type { ControlStore } from '../ports/control-store.js'
import type { AuditTrail } from './audit-service.js'
import type { Authorizer } from './authorizer.js'

/** Dependencies of `ErrorGroupService`. */
export interface ErrorGroupDeps {
  readonly store: ControlStore
  readonly clock: Clock
  readonly audit: AuditTrail
  readonly authorizer: Authorizer
}

const FINGERPRINT = /^[0-9a-f]{32}$/

/** Decisions about groups of errors. */
export class ErrorGroupService {
  readonly #deps: ErrorGroupDeps

  constructor(deps: ErrorGroupDeps) {
    this.#deps = deps
  }

  /**
   * For members and above; `mustExist` throws `not_found` for an unknown group. What is resolved is so as of now: an error that
   * happened earlier and arrives later does not bring it back. Written to the audit log.
   */
  async decide(
    principal: UserPrincipal,
    namespace: Namespace,
    fingerprint: string,
    state: ErrorGroupDecision,
    mustExist: () => Promise<unknown>
  ): Promise<void> {
    const { store, clock, audit, authorizer } = this.#deps
    await authorizer.requireRole(principal, namespace.id, 'member')
    if (!FINGERPRINT.test(fingerprint)) throw new GatewayError('not_found', 'no error group has this fingerprint')
    await mustExist()
    const decision = { namespaceId: namespace.id, fingerprint, state, atMs: clock.nowMs(), by: principal.userId }
    await store.transaction(async ports => {
      const [before] = await ports.errorGroups.of(namespace.id, [fingerprint])
      await ports.errorGroups.set(decision)
      const detail = { from: before?.state ?? 'open', to: state }
      const event = { action: 'error_group.decided', namespaceId: namespace.id, actor: principal.userId } as const
      await audit.record(ports, { ...event, target: fingerprint, detail })
    })
  }
}
