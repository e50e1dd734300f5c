import type { AuditTrail } from '../../../access/audit-service.js'
import type { Authorizer } from '../../../access/authorizer.js'
import type { SecretSource } from '../../../access/secrets.js'
import type { Clock } from '../../../ports/clock.js'
import type { ControlStore } from '../../../ports/control-store.js'

/** Dependencies of all services that manage notifications. */
export interface NotifyServiceDeps {
  readonly store: ControlStore
  readonly clock: Pick<Clock, 'nowMs'>
  readonly secrets: SecretSource
  readonly audit: Pick<AuditTrail, 'record'>
  readonly authorizer: Pick<Authorizer, 'requireRole' | 'roleIn'>
}
