import type { NamespaceId } from '../../../domain/ids.js'
import type { ControlPorts } from '../../../ports/control-store.js'
import { parseRouting } from '../route/parse-routing.js'
import type { Route, Routing } from '../route/routing.js'

/** Names that a routing refers to. */
export interface RoutedNames {
  readonly channels: ReadonlySet<string>
  readonly muteTimes: ReadonlySet<string>
}

function allRoutes(route: Route): readonly Route[] {
  return [route, ...route.routes.flatMap(allRoutes)]
}

/** The names in a routing. */
export function namesIn({ root }: Routing): RoutedNames {
  const routes = allRoutes(root)
  return {
    channels: new Set(routes.flatMap(({ channels }) => channels)),
    muteTimes: new Set(routes.flatMap(({ muteTimes }) => muteTimes))
  }
}

/** The names in the stored routing of a namespace. */
export async function routedNames(
  { notificationRules }: Pick<ControlPorts, 'notificationRules'>,
  ns: NamespaceId
): Promise<RoutedNames> {
  const stored = await notificationRules.routing(ns)
  return stored === null ? { channels: new Set(), muteTimes: new Set() } : namesIn(parseRouting(JSON.parse(stored.document)))
}
