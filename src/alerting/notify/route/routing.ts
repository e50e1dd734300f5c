import type { Label } from '../../../domain/metric-point.js'
import type { LabelMatcher } from '../../../ports/metric-store.js'
import { compileMatchers, formatMatcher, type LabelTest } from './matchers.js'

/** A group gets labels of these names, or all labels of its alerts. */
export type GroupBy = readonly string[] | 'all'

/** A route with everything that it inherits. Source: Alertmanager, configuration, `<route>`. */
export interface Route {
  /** Path of matchers from the root, unique in the tree; the first part of the keys of its groups. */
  readonly key: string
  readonly matchers: readonly LabelMatcher[]
  /** Names of channels; none: alerts of this route notify no one. */
  readonly channels: readonly string[]
  readonly groupBy: GroupBy
  readonly groupWaitMs: number
  readonly groupIntervalMs: number
  readonly repeatIntervalMs: number
  /** Names of mute times. */
  readonly muteTimes: readonly string[]
  /** Whether the siblings that follow are tried as well. */
  readonly continues: boolean
  readonly routes: readonly Route[]
}

/** While an alert that matches `source` fires, alerts that match `target` with equal labels `equal` do not notify. */
export interface InhibitRule {
  readonly source: readonly LabelMatcher[]
  readonly target: readonly LabelMatcher[]
  readonly equal: readonly string[]
}

/** Where alerts of a namespace go. */
export interface Routing {
  readonly root: Route
  readonly inhibit: readonly InhibitRule[]
}

/** A route that an alert takes, and the group in which it does. */
export interface RoutedGroup {
  readonly route: Route
  /** Route and labels, as Alertmanager writes it: `{}/{severity="critical"}:{alertname="Down"}`. */
  readonly key: string
  readonly labels: readonly Label[]
}

/** Chooses the routes of alerts; compiles the matchers of the tree once. */
export class RouteTree {
  readonly #tests = new Map<Route, LabelTest>()
  readonly #root: Route

  constructor(root: Route) {
    this.#root = root
    this.#compile(root)
  }

  /** All routes, the root first. */
  get routes(): readonly Route[] {
    return [...this.#tests.keys()]
  }

  /**
   * The groups of an alert: of the deepest matching routes, in the order of the tree; after a match, siblings are tried
   * only if the route continues. The root takes what no other route takes.
   */
  groupsOf(labels: readonly Label[]): readonly RoutedGroup[] {
    return this.#matching(this.#root, labels).map(route => {
      const own = groupLabels(route.groupBy, labels)
      return { route, labels: own, key: groupKey(route.key, own) }
    })
  }

  #matching(route: Route, labels: readonly Label[]): readonly Route[] {
    const found: Route[] = []
    for (const child of route.routes) {
      if (!this.#tests.get(child)!(labels)) continue
      found.push(...this.#matching(child, labels))
      if (!child.continues) break
    }
    return found.length > 0 ? found : [route]
  }

  #compile(route: Route): void {
    this.#tests.set(route, compileMatchers(route.matchers))
    for (const child of route.routes) this.#compile(child)
  }
}

function groupLabels(groupBy: GroupBy, labels: readonly Label[]): readonly Label[] {
  return groupBy === 'all' ? labels : labels.filter(({ name }) => groupBy.includes(name))
}

/** The key of a group of a route. */
function groupKey(routeKey: string, labels: readonly Label[]): string {
  return `${routeKey}:${matchersKey(labels.map(({ name, value }) => ({ name, op: 'eq', value })))}`
}

/** Matchers in braces, as they are in keys. */
export function matchersKey(matchers: readonly LabelMatcher[]): string {
  return `{${matchers.map(formatMatcher).join(',')}}`
}
