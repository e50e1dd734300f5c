import { describe, expect, it } from '@jest/globals'
import type { GroupChannel } from '../../../../src/alerting/notify/group/notify-context.js'
import type { MessageType } from '../../../../src/domain/alerts/channel.js'
import { contextOf, event } from './notify-fixtures.js'
import { fire, ONE_GROUP, resolve, Run } from './notify-run.js'

const S = 1_000
const MIN = 60 * S
const A = { alertname: 'A' }
const B = { alertname: 'B' }

describe('channels', () => {
  it('that are disabled get nothing, and the present alerts when they are enabled again', () => {
    const off = contextOf(ONE_GROUP, { ops: { isEnabled: false } })
    const run = new Run()
    run.at(0, [fire(A, 0), fire(B, 0)])
    run.at(30 * S)
    run.at(MIN, [resolve(B, MIN)], off)
    expect(run.at(10 * MIN, [], off)).toEqual([])
    expect(run.at(20 * MIN)).toEqual([['ops', ['A'], []]])
  })

  it('get the resolution of a message that they never got with the message that replaces it', () => {
    const waiting = contextOf(ONE_GROUP, { ops: {} }, { isWaiting: () => true })
    const run = new Run()
    run.at(0, [fire(A, 0), fire(B, 0)])
    run.at(30 * S)
    run.at(MIN, [resolve(A, MIN)])
    expect(run.at(30 * S + 5 * MIN)).toEqual([['ops', ['B'], ['A']]])
    run.at(6 * MIN, [resolve(B, 6 * MIN)])
    expect(run.at(30 * S + 10 * MIN, [], waiting)).toEqual([['ops', [], ['A', 'B']]])
    // All resolved, and the message still waits: the group stays, since the next one replaces it.
    expect(run.at(30 * S + 11 * MIN, [fire({ alertname: 'C' }, 0)], waiting)).toEqual([['ops', ['C'], ['A', 'B']]])
  })

  it('get the alerts that they take, each by its own type', () => {
    const taking = (...types: readonly MessageType[]): Partial<GroupChannel> => ({ takes: type => types.includes(type) })
    const context = contextOf(
      { route: { channels: ['pager', 'log', 'gaps'], group_by: [] } },
      { pager: taking('alert.firing'), log: taking('alert.resolved'), gaps: taking('alert.nodata', 'alert.resolved') }
    )
    const run = new Run()
    run.at(0, [fire(A, 0), event(B, 'nodata', 0)], context)
    expect(run.at(30 * S, [], context)).toEqual([
      ['pager', ['A'], []],
      ['gaps', ['B'], []]
    ])
    run.at(MIN, [event(A, 'nodata', MIN), resolve(B, MIN)], context)
    expect(run.at(30 * S + 5 * MIN, [], context)).toEqual([
      ['log', [], ['B']],
      ['gaps', ['A'], ['B']]
    ])
    run.at(6 * MIN, [fire(A, 6 * MIN)], context)
    expect(run.at(30 * S + 10 * MIN, [], context)).toEqual([])
    run.at(11 * MIN, [resolve(A, 11 * MIN)], context)
    expect(run.at(30 * S + 15 * MIN, [], context)).toEqual([
      ['log', [], ['A']],
      ['gaps', [], ['A']]
    ])
    run.at(16 * MIN, [fire(A, 16 * MIN)], context)
    expect(run.at(30 * S + 20 * MIN, [], context)).toEqual([['pager', ['A'], []]])
  })

  it('that take no resolutions are sent the next firing of an alert whose resolution others are sent', () => {
    const context = contextOf(
      { route: { channels: ['pager', 'ops'], group_by: [] } },
      { pager: { takes: type => type === 'alert.firing' }, ops: {} }
    )
    const run = new Run()
    run.at(0, [fire(A, 0), fire(B, 0)], context)
    run.at(30 * S, [], context)
    run.at(MIN, [resolve(A, MIN)], context)
    expect(run.at(30 * S + 5 * MIN, [], context)).toEqual([['ops', ['B'], ['A']]])
    run.at(6 * MIN, [fire(A, 6 * MIN), resolve(B, 6 * MIN)], context)
    expect(run.at(30 * S + 10 * MIN, [], context)).toEqual([
      ['pager', ['A'], []],
      ['ops', ['A'], ['B']]
    ])
    run.at(11 * MIN, [resolve(A, 11 * MIN)], context)
    expect(run.at(30 * S + 15 * MIN, [], context)).toEqual([['ops', [], ['A']]])
    expect(run.at(30 * S + 20 * MIN, [], context)).toEqual([])
    expect(run.groups.size).toBe(0)
  })

  it('of an Alertmanager get active alerts every minute, others at their intervals', () => {
    const context = contextOf({ route: { channels: ['am', 'ops'], group_by: [] } }, { am: { resendMs: MIN }, ops: {} })
    const run = new Run()
    run.at(0, [fire(A, 0)], context)
    expect(run.at(30 * S, [], context)).toEqual([
      ['am', ['A'], []],
      ['ops', ['A'], []]
    ])
    run.at(MIN, [fire(B, MIN), resolve(B, MIN + S)], context)
    expect(run.at(30 * S + MIN, [], context)).toEqual([['am', ['A'], ['B']]])
    expect(run.at(30 * S + 2 * MIN, [], context)).toEqual([['am', ['A'], []]])
    run.at(30 * S + 3 * MIN, [], context)
    run.at(30 * S + 4 * MIN, [], context)
    expect(run.at(30 * S + 5 * MIN, [], context)).toEqual([
      ['am', ['A'], []],
      ['ops', ['A'], ['B']]
    ])
    expect(run.at(30 * S + 6 * MIN, [], context)).toEqual([['am', ['A'], []]])
  })
})
