import type { AuditEvent, AuditTrail } from '../../../access/audit-service.js'
import type { Authorizer } from '../../../access/authorizer.js'
import type { SecretSource } from '../../../access/secrets.js'
import type { Namespace } from '../../../domain/namespace.js'
import type { UserPrincipal } from '../../../domain/principal.js'
import type { Role } from '../../../domain/role.js'
import type { Clock } from '../../../ports/clock.js'
import type { ControlPorts, ControlStore } from '../../../ports/control-store.js'

/** Dependencies of all services that manage notifications. */
export interface NotifyServiceDeps {
  readonly store: ControlStore
  readonly clock: Pick<Clock, 'nowMs'>
  readonly secrets: SecretSource
  readonly audit: Pick<AuditTrail, 'record'>
  readonly authorizer: Pick<Authorizer, 'requireRole' | 'roleIn'>
}

/** What a write did, and what the audit log keeps of it. */
export interface AuditedWrite<T> {
  readonly result: T
  readonly event: Pick<AuditEvent, 'action' | 'target' | 'detail'>
}

/** Runs a write of a user in one transaction with its entry in the audit log. `role_required` below `role`. */
export async function auditedWrite<T>(
  { store, audit, authorizer }: Pick<NotifyServiceDeps, 'store' | 'audit' | 'authorizer'>,
  { principal, namespace, role }: { readonly principal: UserPrincipal; readonly namespace: Namespace; readonly role: Role },
  work: (ports: ControlPorts) => Promise<AuditedWrite<T>>
): Promise<T> {
  await authorizer.requireRole(principal, namespace.id, role)
  return store.transaction(async ports => {
    const { result, event } = await work(ports)
    await audit.record(ports, { ...event, namespaceId: namespace.id, actor: principal.userId })
    return result
  })
}
