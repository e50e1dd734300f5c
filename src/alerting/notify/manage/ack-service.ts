import type { Namespace } from '../../../domain/namespace.js'
import type { UserPrincipal } from '../../../domain/principal.js'
import { auditedWrite } from '../../../access/audited-write.js'
import type { NotifyServiceDeps } from './notify-service-deps.js'

/** Acknowledges groups of alerts. */
export class AckService {
  readonly #deps: NotifyServiceDeps

  constructor(deps: NotifyServiceDeps) {
    this.#deps = deps
  }

  /**
   * Stops the repetitions of a group until one of its alerts fires or resolves; for members. False when no group with active
   * alerts has this key: they may have resolved just now.
   * @param groupKey `groupKey` of its notifications.
   */
  ack(principal: UserPrincipal, namespace: Namespace, groupKey: string): Promise<boolean> {
    return auditedWrite(this.#deps, { principal, namespace, role: 'member' }, async ports => {
      const group = await ports.notificationGroups.byKey(namespace.id, groupKey)
      const active = [...(group?.alerts.values() ?? [])].filter(({ endsAtMs }) => endsAtMs === null)
      const isAcked = group !== null && active.length > 0
      if (isAcked) await ports.notificationGroups.put(namespace.id, [{ ...group, isAcked }])
      return { result: isAcked, event: { action: 'alert_group.acked', detail: { alerts: active.length } } as const }
    })
  }
}
