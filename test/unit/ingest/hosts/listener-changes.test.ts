import { describe, expect, it } from '@jest/globals'
import type { HostListener, ReportedListener } from '../../../../src/domain/reported-host.js'
import {
  changedListeners,
  listenerId,
  listenersById,
  outdatedListeners,
  sumOfListeners
} from '../../../../src/ingest/hosts/listener-changes.js'
import { NS } from '../items.js'

const KEY = { namespaceId: NS, id: 'machine', name: 'web-1' }
const TIMES = { nowMs: 9, lastSeenMs: 5 }

function socket(port: number, changes: Partial<ReportedListener> = {}): ReportedListener {
  return {
    ...{ protocol: 'tcp', address: '::', port, pid: 7, process: 'nginx', exe: null, command: 'nginx', user: 'root' },
    ...{ unit: null, container: null, service: 'web', serviceBasis: 'process' },
    ...changes
  }
}

function known(port: number, changes: Partial<HostListener> = {}): HostListener {
  return { ...socket(port), id: listenerId(KEY, socket(port)), firstSeenMs: 1, changedMs: 1, closedMs: null, ...changes }
}

function changes(before: readonly HostListener[], ...reported: readonly ReportedListener[]) {
  return changedListeners(before, listenersById(KEY, reported), TIMES)
}

describe('a report of listeners', () => {
  it('that is the same changes nothing', () => {
    expect(changes([known(80), known(81, { closedMs: 3 })], socket(80))).toEqual([])
  })

  it('adds new ones, and closes those that it does not have as of the report before', () => {
    expect(changes([known(80)], socket(81))).toEqual([
      known(81, { firstSeenMs: 9, changedMs: 9 }),
      known(80, { changedMs: 9, closedMs: 5 })
    ])
  })

  it('opens closed ones again, which were first seen when they were', () => {
    expect(changes([known(80, { closedMs: 3 })], socket(80))).toEqual([known(80, { changedMs: 9 })])
  })

  it('changes those whose process was started again', () => {
    expect(changes([known(80)], socket(80, { pid: 8 }))).toEqual([known(80, { pid: 8, changedMs: 9 })])
  })

  it('takes another process on the same socket for another listener', () => {
    const [added, closed] = changes([known(80)], socket(80, { process: 'haproxy' }))
    expect([added!.process, added!.closedMs, closed!.process, closed!.closedMs]).toEqual(['haproxy', null, 'nginx', 5])
  })

  it('counts equal ones once', () => {
    expect(changes([], socket(80, { pid: 1 }), socket(80, { pid: 2 })).map(({ pid }) => pid)).toEqual([1])
  })
})

describe('the sum of listeners', () => {
  const sum = (...listeners: readonly ReportedListener[]): string => sumOfListeners(listenersById(KEY, listeners))

  it('is equal in any order, and different for any difference', () => {
    const same = sum(socket(80), socket(81))
    expect(sum(socket(81), socket(80))).toBe(same)
    const others = [
      sum(socket(80)),
      sum(),
      sum(socket(80), socket(81, { pid: 8 })),
      sum(socket(80), socket(81, { command: null }))
    ]
    expect(new Set([same, ...others]).size).toBe(5)
  })

  it('has other ids on another host', () => {
    expect(listenerId({ ...KEY, name: 'web-2' }, socket(80))).not.toBe(listenerId(KEY, socket(80)))
  })
})

describe('closed listeners', () => {
  it('beyond the latest ones are outdated; open ones never are', () => {
    const before = [known(1), known(2, { closedMs: 4 }), known(3, { closedMs: 6 }), known(4)]
    const now = [{ ...known(4), closedMs: 5 }]
    expect(outdatedListeners(before, now, 2)).toEqual([known(2).id])
    expect(outdatedListeners(before, now, 3)).toEqual([])
  })
})
