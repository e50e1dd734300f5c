import { describe, expect, it } from '@jest/globals'
import { MAX_GROUPS } from '../../../../src/alerting/notify/group/group-drafts.js'
import type { NotifyContext } from '../../../../src/alerting/notify/group/notify-context.js'
import { MAX_FLUSHED_GROUPS, notifyStep } from '../../../../src/alerting/notify/group/step.js'
import { contextOf, event } from './notify-fixtures.js'
import { fire, ONE_GROUP, OPS, resolve, Run } from './notify-run.js'

const S = 1_000
const MIN = 60 * S
const HOUR = 60 * MIN
const A = { alertname: 'A' }
const B = { alertname: 'B' }

describe('a group', () => {
  it('is not flushed before all stored events are known', () => {
    const first = notifyStep([], { events: [fire(A, 0)], newRouting: null, hasMoreEvents: true }, OPS, HOUR)
    expect(first.flushes).toEqual([])
    const second = notifyStep(first.changed, { events: [resolve(A, MIN)], newRouting: null }, OPS, HOUR)
    expect(second.flushes.flatMap(({ alerts }) => alerts.map(({ endsAtMs }) => endsAtMs))).toEqual([MIN])
  })

  it('waits for others, then for its interval, and repeats', () => {
    const run = new Run()
    expect(run.at(0, [fire(A, 0)])).toEqual([])
    expect(run.at(29 * S, [fire(B, 29 * S)])).toEqual([])
    expect(run.at(30 * S)).toEqual([['ops', ['A', 'B'], []]])
    expect(run.at(31 * S, [fire({ alertname: 'C' }, 31 * S)])).toEqual([])
    expect(run.at(30 * S + 5 * MIN - 1)).toEqual([])
    expect(run.at(30 * S + 5 * MIN)).toEqual([['ops', ['A', 'B', 'C'], []]])
    for (let at = 30 * S + 10 * MIN; at < 30 * S + 5 * MIN + 4 * HOUR; at += 5 * MIN) expect(run.at(at)).toEqual([])
    expect(run.at(30 * S + 5 * MIN + 4 * HOUR)).toEqual([['ops', ['A', 'B', 'C'], []]])
  })

  it('reports what fired and resolved while it waited, once', () => {
    const run = new Run()
    run.at(0, [fire(A, 0)])
    run.at(10 * S, [resolve(A, 10 * S)])
    expect(run.at(30 * S)).toEqual([['ops', [], ['A']]])
    expect(run.at(HOUR)).toEqual([])
    expect(run.groups.size).toBe(0)
  })

  it('reports what fired and resolved between two flushes', () => {
    const run = new Run()
    run.at(0, [fire(A, 0)])
    run.at(30 * S)
    run.at(MIN, [fire(B, MIN), resolve(B, MIN + S)])
    expect(run.at(30 * S + 5 * MIN)).toEqual([['ops', ['A'], ['B']]])
    expect(run.at(30 * S + 10 * MIN)).toEqual([])
  })

  it('reports a resolution once, and a new firing again', () => {
    const run = new Run()
    run.at(0, [fire(A, 0)])
    run.at(30 * S)
    run.at(MIN, [resolve(A, MIN)])
    expect(run.at(30 * S + 5 * MIN)).toEqual([['ops', [], ['A']]])
    run.at(6 * MIN, [fire(A, 6 * MIN)])
    expect(run.at(6 * MIN + 30 * S)).toEqual([['ops', ['A'], []]])
  })

  it('reports nothing of an alert that resolved and fired again between two flushes', () => {
    const run = new Run()
    run.at(0, [fire(A, 0)])
    run.at(30 * S)
    run.at(MIN, [resolve(A, MIN), fire(A, 2 * MIN)])
    expect(run.at(30 * S + 5 * MIN)).toEqual([])
  })

  it('reports an alert that goes from firing to nodata, and back, at its interval', () => {
    const run = new Run()
    run.at(0, [fire(A, 0), fire(B, 0)])
    run.at(30 * S)
    run.at(MIN, [event(A, 'nodata', MIN)])
    expect(run.at(30 * S + 5 * MIN)).toEqual([['ops', ['A', 'B'], []]])
    expect(run.at(30 * S + 10 * MIN)).toEqual([])
    run.at(11 * MIN, [fire(A, 11 * MIN)])
    expect(run.at(30 * S + 15 * MIN)).toEqual([['ops', ['A', 'B'], []]])
    run.at(16 * MIN, [event(A, 'nodata', 16 * MIN), fire(A, 17 * MIN)])
    expect(run.at(30 * S + 20 * MIN)).toEqual([])
  })

  it('flushes at once what waited long enough before it was seen', () => {
    const run = new Run()
    expect(run.at(HOUR, [fire(A, 10 * MIN), fire(B, HOUR)])).toEqual([['ops', ['A', 'B'], []]])
  })

  it('ignores alerts that were pending only, and goes on while a rule is not evaluated', () => {
    const run = new Run()
    expect(run.at(0, [event(A, 'pending', 0), event(A, 'inactive', 1)])).toEqual([])
    expect(run.groups.size).toBe(0)
    run.at(MIN, [fire(A, MIN)])
    run.at(2 * MIN)
    run.at(3 * MIN, [event(A, 'unknown', 3 * MIN)])
    expect(run.at(20 * MIN)).toEqual([])
    expect([...run.groups.values()][0]!.alerts.size).toBe(1)
  })

  it.each(['nodata', 'error'] as const)('reports %s, and its end when the alert is pending again', state => {
    const run = new Run()
    run.at(0, [event(A, state, 0)])
    expect(run.at(30 * S)).toEqual([['ops', ['A'], []]])
    run.at(MIN, [event(A, 'pending', MIN)])
    expect(run.at(30 * S + 5 * MIN)).toEqual([['ops', [], ['A']]])
  })
})

describe('what hides notifications', () => {
  const silenced = (...names: readonly string[]): NotifyContext =>
    contextOf(ONE_GROUP, { ops: {} }, { isSilenced: labels => labels.some(({ value }) => names.includes(value)) })

  it('a silence: the alert notifies when it is over, and never when it resolved before', () => {
    const run = new Run()
    run.at(0, [fire(A, 0), fire(B, 0)])
    expect(run.at(30 * S, [], silenced('A', 'B'))).toEqual([])
    run.at(MIN, [resolve(B, MIN)], silenced('A', 'B'))
    expect(run.at(30 * S + 5 * MIN, [], silenced('A', 'B'))).toEqual([])
    expect(run.at(30 * S + 10 * MIN)).toEqual([['ops', ['A'], []]])
    expect(run.at(5 * HOUR)).toEqual([['ops', ['A'], []]])
  })

  it('a silence: the resolution of what was sent before follows when it is over', () => {
    const run = new Run()
    run.at(0, [fire(A, 0)])
    run.at(30 * S)
    run.at(MIN, [resolve(A, MIN)], silenced('A'))
    expect(run.at(30 * S + 5 * MIN, [], silenced('A'))).toEqual([])
    expect(run.at(30 * S + 10 * MIN)).toEqual([['ops', [], ['A']]])
  })

  it('a mute time of the route', () => {
    const document = {
      route: { channels: ['ops'], group_by: [], routes: [{ matchers: ['alertname="A"'], mute_times: ['nights'] }] }
    }
    const at = (isMuted: boolean): NotifyContext =>
      contextOf(document, { ops: {} }, { isMuted: name => isMuted && name === 'nights' })
    const run = new Run()
    run.at(0, [fire(A, 0), fire(B, 0)], at(true))
    expect(run.at(30 * S, [], at(true))).toEqual([['ops', ['B'], []]])
    expect(run.at(30 * S + 5 * MIN, [], at(false))).toEqual([['ops', ['A'], []]])
  })

  it('an inhibition, while its source fires', () => {
    const context = contextOf({ ...ONE_GROUP, inhibit: [{ source: ['alertname="A"'], target: ['alertname="B"'] }] }, { ops: {} })
    const run = new Run()
    run.at(0, [fire(A, 0), fire(B, 0)], context)
    expect(run.at(30 * S, [], context)).toEqual([['ops', ['A'], []]])
    run.at(MIN, [resolve(A, MIN)], context)
    expect(run.at(30 * S + 5 * MIN, [], context)).toEqual([['ops', ['B'], ['A']]])
  })

  it('an acknowledgement: no repetition until the group changes', () => {
    const run = new Run()
    run.at(0, [fire(A, 0)])
    run.at(30 * S)
    const ack = (): void => run.groups.forEach((group, key) => run.groups.set(key, { ...group, isAcked: true }))
    ack()
    expect(run.at(5 * HOUR)).toEqual([])
    run.at(5 * HOUR + S, [fire(B, 5 * HOUR)])
    expect(run.at(6 * HOUR)).toEqual([['ops', ['A', 'B'], []]])
    expect(run.at(11 * HOUR)).toEqual([['ops', ['A', 'B'], []]])
    ack()
    run.at(11 * HOUR + S, [resolve(B, 11 * HOUR)])
    expect(run.at(12 * HOUR)).toEqual([['ops', ['A'], ['B']]])
  })
})

describe('a changed routing', () => {
  const split = contextOf(
    { route: { channels: ['ops'], group_by: [], routes: [{ matchers: ['alertname="A"'], channels: ['db'] }] } },
    { ops: {}, db: {} }
  )

  it('moves alerts, and the old channel gets the resolutions that it waits for', () => {
    const run = new Run()
    run.at(0, [fire(A, 0), fire(B, 0)])
    expect(run.at(30 * S)).toEqual([['ops', ['A', 'B'], []]])
    run.reroute(2)
    expect(run.at(MIN, [], split)).toEqual([['db', ['A'], []]])
    const first = run.at(2 * MIN, [resolve(A, 2 * MIN), resolve(B, 2 * MIN)], split)
    const reported = [...first, ...[3, 4, 5, 6, 7, 8].flatMap(minute => run.at(minute * MIN, [], split))]
    expect(reported.map(one => JSON.stringify(one)).sort()).toEqual(['["db",[],["A"]]', '["ops",[],["A"]]', '["ops",[],["B"]]'])
    expect(run.groups.size).toBe(0)
  })

  it('does not report as resolved what fires again meanwhile', () => {
    const run = new Run()
    run.at(0, [fire(A, 0)])
    run.at(30 * S)
    run.reroute(2)
    run.at(MIN, [], split)
    run.at(61 * S, [resolve(A, 61 * S), fire(A, 62 * S)], split)
    expect([2, 3, 4, 5].flatMap(minute => run.at(minute * MIN, [], split))).toEqual([])
  })

  it('that groups by other labels keeps nothing in the old groups', () => {
    const run = new Run()
    run.at(0, [fire(A, 0), fire(B, 0)])
    run.at(10 * S)
    const byName = contextOf({ route: { channels: ['ops'] } }, { ops: {} })
    run.reroute(2)
    run.at(20 * S, [], byName)
    expect([...run.groups.keys()].sort()).toEqual(['{}:{alertname="A"}', '{}:{alertname="B"}'])
    expect(run.at(30 * S, [], byName)).toHaveLength(2)
  })
})

describe('bounds', () => {
  it('flushes so many groups at a step', () => {
    const context = contextOf({ route: { channels: ['ops'], group_wait: '0s' } }, { ops: {} })
    const events = Array.from({ length: MAX_FLUSHED_GROUPS + 1 }, (_, i) => fire({ alertname: `A${i}` }, 0))
    const first = notifyStep([], { events, newRouting: null }, context, 0)
    expect([first.flushes.length, first.hasMore]).toEqual([MAX_FLUSHED_GROUPS, true])
    const second = notifyStep(first.changed, { events: [], newRouting: null }, context, 0)
    expect([second.flushes.length, second.hasMore]).toEqual([1, false])
  })

  it('puts alerts beyond the limit of groups into the overflow group of their route, and finds them there', () => {
    const context = contextOf({ route: { channels: ['ops'] } }, { ops: {} })
    const events = Array.from({ length: MAX_GROUPS + 2 }, (_, i) => fire({ alertname: `A${i}` }, 0))
    const { changed } = notifyStep([], { events, newRouting: null }, context, 0)
    expect(changed).toHaveLength(MAX_GROUPS + 1)
    const overflow = changed.find(({ key }) => key === '{}:overflow')!
    expect([...overflow.alerts.values()].map(({ ruleId }) => ruleId)).toEqual([`A${MAX_GROUPS}`, `A${MAX_GROUPS + 1}`])
    const last = { alertname: `A${MAX_GROUPS}` }
    const after = notifyStep(changed, { events: [resolve(last, S), fire(last, 2 * S)], newRouting: null }, context, 2 * S)
    expect(after.changed.map(({ key, alerts }) => [key, alerts.size])).toEqual([['{}:overflow', 2]])
  })
})
