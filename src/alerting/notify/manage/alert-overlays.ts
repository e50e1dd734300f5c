import type { AlertInstance } from '../../../domain/alerts/alert-state.js'
import type { AlertOverlay } from '../../../domain/alerts/alert-overlay.js'
import type { Label } from '../../../domain/metric-point.js'
import type { Namespace } from '../../../domain/namespace.js'
import type { Clock } from '../../../ports/clock.js'
import type { ControlStore } from '../../../ports/control-store.js'
import type { AlertReport } from '../../rules/alert-report.js'
import { mutedAt } from '../dispatch/muted-at.js'
import { RoutingCache } from '../dispatch/routing-cache.js'
import { SilenceCache } from '../dispatch/silence-cache.js'
import { Inhibitions } from '../route/inhibitions.js'
import { MAX_SILENCES } from './notify-limits.js'

/** Dependencies of `AlertOverlays`. */
export interface AlertOverlaysDeps {
  readonly store: Pick<ControlStore, 'notificationRules' | 'notificationGroups'>
  readonly report: Pick<AlertReport, 'rules'>
  readonly clock: Pick<Clock, 'nowMs'>
}

/** What hides the notifications of an alert now. */
export type OverlayTest = (alert: Pick<AlertInstance, 'state' | 'labels'>) => readonly AlertOverlay[]

/** States of alerts that notify. */
const NOTIFIED: ReadonlySet<string> = new Set(['firing', 'nodata', 'error'])
/** States of alerts that are over. */
const OVER: ReadonlySet<string> = new Set(['inactive', 'resolved'])

/** What hides notifications of alerts without changing their states. */
export class AlertOverlays {
  readonly #deps: AlertOverlaysDeps
  readonly #routings = new RoutingCache()
  readonly #silences = new SilenceCache()

  constructor(deps: AlertOverlaysDeps) {
    this.#deps = deps
  }

  /** The test of all alerts of a namespace, as of now: by the code that notifications use. */
  async of(ns: Namespace): Promise<OverlayTest> {
    const { store, report, clock } = this.#deps
    const { notificationRules, notificationGroups } = store
    const nowMs = clock.nowMs()
    const [stored, silences, muteTimes, acked, rules] = await Promise.all([
      notificationRules.routing(ns.id),
      notificationRules.silencesAfter(ns.id, nowMs, MAX_SILENCES),
      notificationRules.muteTimes(ns.id),
      notificationGroups.acked(ns.id),
      report.rules(ns)
    ])
    const { routing, tree } = this.#routings.of(ns.id, stored)
    const notified = rules.flatMap(({ instances }) => instances.filter(({ state }) => NOTIFIED.has(state)))
    const inhibitions = new Inhibitions(
      routing.inhibit,
      notified.map(({ labels }) => labels)
    )
    const isSilenced = this.#silences.testOf(silences, nowMs)
    const isMuted = mutedAt(muteTimes, nowMs)
    const ackedKeys = new Set(acked)
    const hiding = (labels: readonly Label[]): Readonly<Record<AlertOverlay, boolean>> => {
      const groups = tree.groupsOf(labels)
      return {
        silenced: isSilenced(labels),
        inhibited: inhibitions.inhibits(labels),
        muted: groups.every(({ route }) => route.muteTimes.some(isMuted)),
        acked: groups.every(({ key }) => ackedKeys.has(key))
      }
    }
    return ({ state, labels }) => {
      if (OVER.has(state)) return []
      return Object.entries(hiding(labels)).flatMap(([overlay, hides]) => (hides ? [overlay as AlertOverlay] : []))
    }
  }
}
