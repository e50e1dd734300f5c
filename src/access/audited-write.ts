import type { Namespace } from '../domain/namespace.js'
import type { UserPrincipal } from '../domain/principal.js'
import type { Role } from '../domain/role.js'
import type { ControlPorts, ControlStore } from '../ports/control-store.js'
import type { AuditEvent, AuditTrail } from './audit-service.js'
import type { Authorizer } from './authorizer.js'

/** Dependencies of `auditedWrite`. */
export interface AuditedWriteDeps {
  readonly store: Pick<ControlStore, 'transaction'>
  readonly audit: Pick<AuditTrail, 'record'>
  readonly authorizer: Pick<Authorizer, 'requireRole'>
}

/** What a write results in, and what the audit log has of it; null when nothing changed. */
export interface AuditedWrite<T> {
  readonly result: T
  readonly event: Pick<AuditEvent, 'action' | 'target' | 'detail'> | null
}

/** Who writes where, and the role that it requires. */
export interface WriteRequest {
  readonly principal: UserPrincipal
  readonly namespace: Namespace
  readonly role: Role
  /** Called after a transaction that changed something. */
  readonly onChange?: (ns: Namespace['id']) => void
}

/** Runs a write of a user in one transaction with its entry in the audit log. `role_required` below `role`. */
export async function auditedWrite<T>(
  { store, audit, authorizer }: AuditedWriteDeps,
  { principal, namespace, role, onChange }: WriteRequest,
  work: (ports: ControlPorts) => Promise<AuditedWrite<T>>
): Promise<T> {
  await authorizer.requireRole(principal, namespace.id, role)
  const { result, event } = await store.transaction(async ports => {
    const written = await work(ports)
    if (written.event !== null)
      await audit.record(ports, { ...written.event, namespaceId: namespace.id, actor: principal.userId })
    return written
  })
  if (event !== null) onChange?.(namespace.id)
  return result
}
