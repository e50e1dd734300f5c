import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { notifyStep } from '../../../../src/alerting/notify/group/step.js'
import type { AlertEvent } from '../../../../src/domain/alerts/alert-state.js'
import type { NotificationGroup } from '../../../../src/domain/alerts/notification-group.js'
import { contextOf, event } from './notify-fixtures.js'

const S = 1_000
const WAIT = 30 * S
const INTERVAL = 300 * S
const REPEAT = 3_600 * S
const DOCUMENT = {
  route: { channels: ['ops'], group_by: ['team'], group_wait: '30s', group_interval: '5m', repeat_interval: '1h' }
}

/** A group as the model knows it: which alerts it has, and whether each is active. */
interface ModelGroup {
  readonly alerts: Map<string, boolean>
  dueMs: number | null
  sentMs: number
  /** Reported as active, and not as resolved since. */
  readonly open: Set<string>
}

/** What a message reports. */
interface Message {
  readonly active: readonly string[]
  readonly resolved: readonly string[]
}

/** The same rules as `notifyStep` for one channel and one route, over names in place of alerts. */
class Model {
  readonly #groups = new Map<string, ModelGroup>()

  step(events: readonly AlertEvent[], hidden: ReadonlySet<string>, nowMs: number): readonly Message[] {
    for (const { labels, to, atMs } of events) {
      const [{ value: name }, { value: team }] = [labels[0]!, labels[1]!]
      const group = this.#groups.get(team) ?? { alerts: new Map(), dueMs: null, sentMs: -Infinity, open: new Set() }
      if (to === 'firing') {
        this.#groups.set(team, group)
        group.alerts.set(name, true)
        group.dueMs ??= Math.max(nowMs, atMs + WAIT)
      } else if (group.alerts.has(name)) group.alerts.set(name, false)
    }
    return [...this.#groups].flatMap(([team, group]) => {
      if (group.dueMs === null || group.dueMs > nowMs) return []
      const message = this.#flush(group, hidden, nowMs)
      if (group.alerts.size === 0) this.#groups.delete(team)
      return message === null ? [] : [message]
    })
  }

  #flush(group: ModelGroup, hidden: ReadonlySet<string>, nowMs: number): Message | null {
    const shown = [...group.alerts].filter(([name]) => !hidden.has(name))
    const active = shown.filter(([, isActive]) => isActive).map(([name]) => name)
    const resolved = shown.filter(([, isActive]) => !isActive).map(([name]) => name)
    const isNews = resolved.length > 0 || active.some(name => !group.open.has(name))
    const isSent = isNews || (active.length > 0 && nowMs - group.sentMs >= REPEAT)
    if (isSent) {
      group.sentMs = nowMs
      for (const name of active) group.open.add(name)
      for (const name of resolved) group.open.delete(name)
    }
    for (const [name, isActive] of group.alerts) if (!isActive && !group.open.has(name)) group.alerts.delete(name)
    group.dueMs = nowMs + INTERVAL
    return isSent ? { active: active.sort(), resolved: resolved.sort() } : null
  }
}

const arbitraryStep = fc.record({
  afterMs: fc.oneof(fc.integer({ min: 1, max: 60 * S }), fc.integer({ min: 1, max: 4_000 * S })),
  events: fc.array(
    fc.record({ alert: fc.integer({ min: 0, max: 5 }), isFiring: fc.boolean(), lateMs: fc.constantFrom(0, 10 * S, 100 * S) }),
    {
      maxLength: 4
    }
  ),
  hidden: fc.oneof(
    { weight: 3, arbitrary: fc.constant<number[]>([]) },
    { weight: 1, arbitrary: fc.array(fc.integer({ min: 0, max: 5 })) }
  )
})

it('groups as an independent model does, whatever fires, resolves, is hidden and is late', () => {
  fc.assert(
    fc.property(fc.array(arbitraryStep, { maxLength: 40 }), steps => {
      const model = new Model()
      const groups = new Map<string, NotificationGroup>()
      let nowMs = 0
      for (const step of steps) {
        nowMs += step.afterMs
        const events = step.events.map(({ alert, isFiring, lateMs }) =>
          event({ alertname: `A${alert}`, team: `t${alert % 2}` }, isFiring ? 'firing' : 'resolved', Math.max(0, nowMs - lateMs))
        )
        const hidden = new Set(step.hidden.map(alert => `A${alert}`))
        const context = contextOf(DOCUMENT, { ops: {} }, { isSilenced: labels => hidden.has(labels[0]!.value) })
        const { flushes, changed, removed } = notifyStep(groups.values(), { events, newRouting: null }, context, nowMs)
        for (const group of changed) groups.set(group.key, group)
        for (const key of removed) groups.delete(key)
        const messages = flushes.map(({ alerts }) => {
          const names = (isActive: boolean): readonly string[] =>
            alerts
              .filter(({ endsAtMs }) => (endsAtMs === null) === isActive)
              .map(({ ruleId }) => ruleId)
              .sort()
          return JSON.stringify({ active: names(true), resolved: names(false) })
        })
        const expected = model.step(events, hidden, nowMs).map(message => JSON.stringify(message))
        expect(messages.sort()).toEqual(expected.sort())
      }
    }),
    { numRuns: 2_000 }
  )
})
