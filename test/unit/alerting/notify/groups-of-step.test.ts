import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { groupsOfStep } from '../../../../src/alerting/notify/dispatch/groups-of-step.js'
import type { Flush } from '../../../../src/alerting/notify/group/flush-group.js'
import { notifyStep } from '../../../../src/alerting/notify/group/step.js'
import type { NotificationGroup } from '../../../../src/domain/alerts/notification-group.js'
import type { NamespaceId } from '../../../../src/domain/ids.js'
import type { NotificationGroups } from '../../../../src/ports/notifications.js'
import { contextOf, event } from './notify-fixtures.js'

const S = 1_000
const NS = 'shop' as NamespaceId
const ROUTE = { channels: ['ops'], group_wait: '5s', group_interval: '10s', repeat_interval: '1m' }
const ROUTINGS = [
  { route: ROUTE },
  { route: { ...ROUTE, routes: [{ matchers: ['team="0"'], channels: ['db'], group_by: ['team'], continue: true }, {}] } },
  { route: { ...ROUTE, group_by: [] }, inhibit: [{ source: ['team="0"'], target: ['team="1"'] }] }
]

/** The reads that a step makes, over a map. */
class MemoryGroups {
  readonly groups = new Map<string, NotificationGroup>()

  /** In one order, as a store reads them: the first alert of a group decides when its wait begins. */
  all(): readonly NotificationGroup[] {
    return [...this.groups.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
  }

  get port(): NotificationGroups {
    const all = (): readonly NotificationGroup[] => this.all()
    const reads: Pick<NotificationGroups, 'all' | 'byKeys' | 'retired' | 'due'> = {
      all: () => Promise.resolve(all()),
      byKeys: (_ns, keys) => Promise.resolve(keys.flatMap(key => this.groups.get(key) ?? [])),
      retired: () => Promise.resolve(all().filter(({ routeKey }) => routeKey === null)),
      due: (_ns, nowMs) => Promise.resolve(all().filter(({ nextFlushMs }) => nextFlushMs !== null && nextFlushMs <= nowMs))
    }
    return reads as NotificationGroups
  }

  removeEnded(waiting: ReadonlySet<string>): void {
    for (const [key, { nextFlushMs, sent }] of this.groups) {
      if (nextFlushMs === null && ![...sent.keys()].some(id => waiting.has(`${id} ${key}`))) this.groups.delete(key)
    }
  }

  write(changed: readonly NotificationGroup[], removed: readonly string[]): void {
    for (const group of changed) this.groups.set(group.key, group)
    for (const key of removed) this.groups.delete(key)
  }
}

/** What messages report, whatever the number of the flush: a group that ended begins again with 1. */
function reported(flushes: readonly Flush[]): readonly string[] {
  return flushes
    .map(({ groupKey, channelId, alerts }) =>
      JSON.stringify([groupKey, channelId, ...alerts.map(alert => JSON.stringify(alert)).sort()])
    )
    .sort()
}

const arbitraryStep = fc.record({
  afterMs: fc.integer({ min: 1, max: 30 * S }),
  routing: fc.option(fc.integer({ min: 0, max: ROUTINGS.length - 1 }), { freq: 5 }),
  isWaiting: fc.boolean(),
  events: fc.array(
    fc.record({
      alert: fc.integer({ min: 0, max: 5 }),
      to: fc.constantFrom('firing' as const, 'nodata' as const, 'resolved' as const)
    }),
    { maxLength: 4 }
  )
})

it('a step over the groups that it reads does what a step over all groups does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(arbitraryStep, { maxLength: 30 }), async steps => {
      const all = new MemoryGroups()
      const some = new MemoryGroups()
      let nowMs = 0
      let version = 1
      let document = ROUTINGS[0]!
      const waiting = new Set<string>()
      for (const step of steps) {
        nowMs += step.afterMs
        const newRouting = step.routing === null ? null : ++version
        if (step.routing !== null) document = ROUTINGS[step.routing]!
        if (!step.isWaiting) waiting.clear()
        const isWaiting = (key: string, id: string): boolean => waiting.has(`${id} ${key}`)
        const context = contextOf(document, { ops: {}, db: {} }, { isWaiting })
        const { routing, tree } = context
        const events = step.events.map(({ alert, to }) => event({ alertname: `A${alert}`, team: `${alert % 2}` }, to, nowMs))
        const request = { events, hasMoreEvents: false, isRerouted: newRouting !== null, routing, tree }
        some.removeEnded(waiting)
        const read = await groupsOfStep(some.port, NS, request, nowMs)
        const expected = notifyStep(all.all(), { events, newRouting }, context, nowMs)
        const actual = notifyStep(read, { events, newRouting, storedGroups: some.groups.size }, context, nowMs)
        all.write(expected.changed, expected.removed)
        some.write(actual.changed, actual.removed)
        expect(reported(actual.flushes)).toEqual(reported(expected.flushes))
        for (const { groupKey, channelId } of expected.flushes) waiting.add(`${channelId} ${groupKey}`)
      }
      const alertsOf = ({ groups }: MemoryGroups): readonly string[] =>
        [...groups].flatMap(([key, { alerts }]) => [...alerts.values()].map(alert => JSON.stringify([key, alert]))).sort()
      expect(alertsOf(some)).toEqual(alertsOf(all))
    }),
    { numRuns: 1_000 }
  )
})
