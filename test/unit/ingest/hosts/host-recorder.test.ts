import { describe, expect, it } from '@jest/globals'
import { isGatewayError } from '../../../../src/domain/errors.js'
import type { HostListener, ReportedHost, ReportedListener } from '../../../../src/domain/reported-host.js'
import { HOST_LIMITS, type HostLimits } from '../../../../src/ingest/hosts/host-limits.js'
import { HostRecorder } from '../../../../src/ingest/hosts/host-recorder.js'
import { parseHostReport } from '../../../../src/ingest/hosts/parse-host-report.js'
import type { ControlPorts, ControlStore } from '../../../../src/ports/control-store.js'
import type { HostChange, ReportedHosts } from '../../../../src/ports/reported-hosts.js'
import { ManualTime } from '../../../support/manual-time.js'
import { NO_HOSTS } from '../../../support/no-hosts.js'
import { NS } from '../items.js'

/** Hosts in memory: a transaction that fails changes nothing. */
class MemoryHosts {
  rows = new Map<string, ReportedHost>()
  listeners = new Map<string, HostListener>()
  transactions = 0
  listenersRead = 0
  listenersWritten = 0
  forgotten: string[] = []
  /** Names whose writes fail. */
  readonly broken = new Set<string>()

  readonly hosts: ReportedHosts = {
    ...NO_HOSTS,
    host: async ({ name }) => this.rows.get(name) ?? null,
    count: async () => this.rows.size,
    countListeners: async () => this.listeners.size,
    listenersOf: async ({ name }) => {
      this.listenersRead++
      return [...this.listeners].filter(([key]) => key.startsWith(`${name} `)).map(([, listener]) => listener)
    },
    save: async changes => {
      for (const change of changes) this.#save(change)
    },
    forgetOldest: async (_ns, beforeMs) => {
      const oldest = [...this.rows.values()].find(({ lastSeenMs }) => lastSeenMs < beforeMs)
      return oldest !== undefined && this.rows.delete(oldest.name)
    },
    forgetListeners: async ({ name }, ids) => {
      for (const id of ids) if (this.listeners.delete(`${name} ${id}`)) this.forgotten.push(id)
    }
  }

  readonly control = {
    hosts: this.hosts,
    transaction: async <T>(work: (ports: ControlPorts) => Promise<T>): Promise<T> => {
      this.transactions++
      const before = [new Map(this.rows), new Map(this.listeners)] as const
      try {
        return await work({ hosts: this.hosts } as ControlPorts)
      } catch (error) {
        ;[this.rows, this.listeners] = before
        throw error
      }
    }
  } as unknown as Pick<ControlStore, 'hosts' | 'transaction'>

  #save({ host, listeners }: HostChange): void {
    if (this.broken.has(host.name)) throw new Error(`${host.name} is broken`)
    this.rows.set(host.name, host)
    this.listenersWritten += listeners.length
    for (const listener of listeners) this.listeners.set(`${host.name} ${listener.id}`, listener)
  }
}

function recorderOf(limits: Partial<HostLimits> = {}) {
  const [memory, clock] = [new MemoryHosts(), new ManualTime()]
  const recorder = new HostRecorder({ control: memory.control, clock, limits: { ...HOST_LIMITS, ...limits } })
  const report = (name: string, ports: readonly number[] | null): Promise<ReportedHost> => {
    const listeners = ports?.map((port): Partial<ReportedListener> => ({ protocol: 'tcp', address: '::', port }))
    const body = parseHostReport({ name, interval_s: 60, listeners }, HOST_LIMITS)
    return recorder.record({ namespaceId: NS, id: `m-${name}`, name }, body)
  }
  return { memory, clock, report }
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'stored',
    (error: unknown) => (isGatewayError(error) ? error.code : String(error))
  )
}

describe('reports of hosts', () => {
  it('that are equal write no listeners and read none', async () => {
    const { memory, report, clock } = recorderOf()
    await report('a', [80, 443])
    expect(memory.listenersWritten).toBe(2)
    memory.listenersRead = 0
    clock.pass(60_000)
    const host = await report('a', [443, 80])
    expect([memory.listenersRead, memory.listenersWritten]).toEqual([0, 2])
    expect([host.firstSeenMs, host.lastSeenMs, host.listenersSeenMs].map(ms => clock.nowMs() - ms!)).toEqual([60_000, 0, 0])
  })

  it('without a list leave listeners as they are', async () => {
    const { memory, report, clock } = recorderOf()
    const { listenersSeenMs, listenersSum } = await report('a', [80])
    clock.pass(60_000)
    expect(await report('a', null)).toMatchObject({ listenersSeenMs, listenersSum, lastSeenMs: clock.nowMs() })
    expect([...memory.listeners.values()].map(({ closedMs }) => closedMs)).toEqual([null])
  })

  it('of a moment share a transaction, and one that fails fails alone', async () => {
    const { memory, report } = recorderOf()
    memory.broken.add('c')
    const names = ['a', 'b', 'c', 'd', 'e']
    const results = await Promise.all(names.map(name => codeOf(report(name, null))))
    expect(results).toEqual(['stored', 'stored', 'Error: c is broken', 'stored', 'stored'])
    expect([...memory.rows.keys()]).toEqual(['a', 'b', 'd', 'e'])
    memory.transactions = 0
    memory.broken.clear()
    await Promise.all(Array.from({ length: 50 }, (_, i) => report(`h-${i}`, null)))
    expect(memory.transactions).toBeLessThanOrEqual(2)
  })

  it('of a host are applied in their order', async () => {
    const { memory, report } = recorderOf()
    await Promise.all([report('a', [80]), report('a', [81]), report('a', [82])])
    const open = [...memory.listeners.values()].filter(({ closedMs }) => closedMs === null)
    expect(open.map(({ port }) => port)).toEqual([82])
  })

  it('of more hosts than a namespace has take the place of one that is gone, or are refused', async () => {
    const { report, clock, memory } = recorderOf({ hosts: 2, goneMs: 1_000 })
    await report('a', null)
    await report('b', null)
    expect(await codeOf(report('c', null))).toBe('quota_exceeded')
    expect(await codeOf(report('a', null))).toBe('stored')
    clock.pass(1_001)
    await report('b', null)
    expect(await codeOf(report('c', null))).toBe('stored')
    expect([...memory.rows.keys()].sort()).toEqual(['b', 'c'])
  })

  it('with more listeners than a namespace has are refused', async () => {
    const { report } = recorderOf({ listenersOfNamespace: 3 })
    expect(await codeOf(report('a', [1, 2, 3]))).toBe('stored')
    expect(await codeOf(report('b', [1]))).toBe('quota_exceeded')
    expect(await codeOf(report('a', [1, 2]))).toBe('stored')
  })

  it('that change listeners too often are refused until time has passed; others are not', async () => {
    const { report, clock } = recorderOf({ changesPerSecond: 1, changesAtOnce: 4 })
    expect(await codeOf(report('a', [1, 2]))).toBe('stored')
    expect(await codeOf(report('a', [1, 3]))).toBe('stored')
    expect(await codeOf(report('a', [1, 4]))).toBe('rate_limited')
    expect(await codeOf(report('a', [1, 3]))).toBe('stored')
    clock.pass(2_000)
    expect(await codeOf(report('a', [1, 4]))).toBe('stored')
  })

  it('leave the latest closed listeners of a host', async () => {
    const { report, memory, clock } = recorderOf({ closedListeners: 2 })
    for (const port of [1, 2, 3, 4]) {
      await report('a', [port])
      clock.pass(1_000)
    }
    expect(new Set([...memory.listeners.values()].map(({ port }) => port))).toEqual(new Set([2, 3, 4]))
    expect(memory.forgotten).toHaveLength(1)
  })
})
