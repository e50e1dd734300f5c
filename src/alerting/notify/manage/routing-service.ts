import { GatewayError } from '../../../domain/errors.js'
import type { Namespace } from '../../../domain/namespace.js'
import type { UserPrincipal } from '../../../domain/principal.js'
import type { ControlPorts } from '../../../ports/control-store.js'
import { NO_ROUTING, parseRouting } from '../route/parse-routing.js'
import type { Routing } from '../route/routing.js'
import { auditedWrite } from '../../../access/audited-write.js'
import type { NotifyServiceDeps } from './notify-service-deps.js'
import { namesIn } from './routed-names.js'

/** The routing of a namespace as it was written. */
export interface RoutingView {
  /** 0 before the first one is stored. */
  readonly version: number
  readonly document: object
  /** What of it notifies no one. */
  readonly warnings: readonly string[]
}

const NO_DOCUMENT = { route: { channels: [] } }

function warningsOf({ root }: Routing): readonly string[] {
  return root.channels.length > 0 ? [] : ['the root route has no channels: alerts that no other route takes notify no one']
}

async function requireKnownNames(ports: ControlPorts, ns: Namespace, routing: Routing): Promise<void> {
  const { channels, muteTimes } = namesIn(routing)
  const stored = {
    channels: new Set((await ports.notificationChannels.all(ns.id)).map(({ name }) => name)),
    muteTimes: new Set((await ports.notificationRules.muteTimes(ns.id)).map(({ name }) => name))
  }
  const unknown = [...channels].find(name => !stored.channels.has(name))
  if (unknown !== undefined) throw unknownName('channel', unknown)
  const unknownTime = [...muteTimes].find(name => !stored.muteTimes.has(name))
  if (unknownTime !== undefined) throw unknownName('mute time', unknownTime)
}

function unknownName(what: string, name: string): GatewayError {
  return new GatewayError('invalid_field', `document refers to the ${what} ${JSON.stringify(name)}, which does not exist`, {
    field: 'document'
  })
}

/** Routes and inhibitions of a namespace: one document with a version. Members write it. */
export class RoutingService {
  readonly #deps: NotifyServiceDeps

  constructor(deps: NotifyServiceDeps) {
    this.#deps = deps
  }

  async get(ns: Namespace): Promise<RoutingView> {
    const stored = await this.#deps.store.notificationRules.routing(ns.id)
    if (stored === null) return { version: 0, document: NO_DOCUMENT, warnings: warningsOf(NO_ROUTING) }
    const document = JSON.parse(stored.document) as object
    return { version: stored.version, document, warnings: warningsOf(parseRouting(document)) }
  }

  /**
   * Replaces the routing whose version was `version`; 0 for the first one. `invalid_field` names the faulty member, `conflict`
   * when the stored version is another one.
   */
  async set(
    principal: UserPrincipal,
    namespace: Namespace,
    { version, document }: { readonly version: number; readonly document: object }
  ): Promise<RoutingView> {
    const routing = parseRouting(document)
    return auditedWrite(this.#deps, { principal, namespace, role: 'member' }, async ports => {
      await requireKnownNames(ports, namespace, routing)
      const stored = (await ports.notificationRules.routing(namespace.id))?.version ?? 0
      const next = { namespaceId: namespace.id, version: version + 1, document: JSON.stringify(document) }
      const by = { updatedBy: principal.userId, updatedAtMs: this.#deps.clock.nowMs() }
      if (stored !== version || !(await ports.notificationRules.putRouting({ ...next, ...by }))) {
        const detail = `the routing has version ${stored}, not ${version}; read it again and repeat the change`
        throw new GatewayError('conflict', detail, { field: 'version', members: { version: stored } })
      }
      const view = { version: next.version, document, warnings: warningsOf(routing) }
      return { result: view, event: { action: 'alert_routing.saved', detail: { version: next.version } } as const }
    })
  }
}
