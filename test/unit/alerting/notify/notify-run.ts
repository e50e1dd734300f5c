import type { NotifyContext } from '../../../../src/alerting/notify/group/notify-context.js'
import { notifyStep } from '../../../../src/alerting/notify/group/step.js'
import type { AlertEvent } from '../../../../src/domain/alerts/alert-state.js'
import type { NotificationGroup } from '../../../../src/domain/alerts/notification-group.js'
import { type AlertLabels, contextOf, event } from './notify-fixtures.js'

export const ONE_GROUP = { route: { channels: ['ops'], group_by: [] } }
/** Every alert goes to the channel `ops` in one group. */
export const OPS = contextOf(ONE_GROUP, { ops: {} })

/** What one flush reported: channel, names of active alerts, names of resolved ones. */
type Reported = readonly [channel: string, active: readonly string[], resolved: readonly string[]]

/** Runs steps one after the other. */
export class Run {
  groups = new Map<string, NotificationGroup>()
  #routing: number | null = null

  at(nowMs: number, events: readonly AlertEvent[] = [], context: NotifyContext = OPS): readonly Reported[] {
    const result = notifyStep(this.groups.values(), { events, newRouting: this.#routing }, context, nowMs)
    this.#routing = null
    for (const group of result.changed) this.groups.set(group.key, group)
    for (const key of result.removed) this.groups.delete(key)
    return result.flushes.map(({ channelId, alerts }) => {
      const names = (isActive: boolean): readonly string[] =>
        alerts
          .filter(({ endsAtMs }) => (endsAtMs === null) === isActive)
          .map(({ labels }) => labels.find(({ name }) => name === 'alertname')!.value)
          .sort()
      return [channelId, names(true), names(false)]
    })
  }

  /** The next step has another routing. */
  reroute(version: number): void {
    this.#routing = version
  }
}

export const fire = (alert: AlertLabels, atMs: number): AlertEvent => event(alert, 'firing', atMs)
export const resolve = (alert: AlertLabels, atMs: number): AlertEvent => event(alert, 'resolved', atMs)
