import { GatewayError } from '../../domain/errors.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { HostKey, HostListener, ReportedHost } from '../../domain/reported-host.js'
import type { Clock } from '../../ports/clock.js'
import type { ControlStore } from '../../ports/control-store.js'
import type { HostChange, ReportedHosts } from '../../ports/reported-hosts.js'
import { RateLimits } from '../../threads/rate-limits.js'
import type { HostLimits } from './host-limits.js'
import { changedListeners, listenersById, outdatedListeners, sumOfListeners } from './listener-changes.js'
import type { HostReportBody } from './parse-host-report.js'

export interface HostRecorderDeps {
  readonly control: Pick<ControlStore, 'hosts' | 'transaction'>
  readonly clock: Clock
  readonly limits: HostLimits
}

interface Report {
  readonly key: HostKey
  readonly body: HostReportBody
}

interface QueuedReport extends Report {
  readonly resolve: (host: ReportedHost) => void
  readonly reject: (error: unknown) => void
}

/** What a report changes, and listeners that it makes too many. */
interface PlannedChange extends HostChange {
  readonly outdated: readonly string[]
}

function isNew({ firstSeenMs, changedMs, closedMs }: HostListener): boolean {
  return closedMs === null && firstSeenMs === changedMs
}

/** The sum of the listeners of a report; null without a list. */
function sumOf(key: HostKey, { listeners }: HostReportBody): string | null {
  return listeners === null ? null : sumOfListeners(listenersById(key, listeners))
}

/**
 * Writes what agents report of their hosts. Reports that arrive while a transaction runs share the next one; most of them
 * change a single row.
 */
export class HostRecorder {
  readonly #deps: HostRecorderDeps
  readonly #rates: RateLimits
  #queued: QueuedReport[] = []
  #isWriting = false

  constructor(deps: HostRecorderDeps) {
    const { limits, clock } = deps
    this.#deps = deps
    const bounds = { perSecond: limits.changesPerSecond, burst: limits.changesAtOnce }
    this.#rates = new RateLimits({ name: 'listener-changes', unit: 'requests', ...bounds }, () => clock.monotonicMs())
  }

  /**
   * Resolves with the host when the report is stored, crash-safe. `rate_limited` when listeners of the namespace change too
   * often, `quota_exceeded` for a new host or new listeners of a namespace at its limit.
   */
  async record(key: HostKey, body: HostReportBody): Promise<ReportedHost> {
    const { control } = this.#deps
    const known = await control.hosts.host(key)
    if (known === null) await this.#admit(key.namespaceId)
    const sum = sumOf(key, body)
    if (sum !== null && sum !== known?.listenersSum) await this.#admitChanges({ key, body }, known)
    return new Promise((resolve, reject) => {
      this.#queued.push({ key, body, resolve, reject })
      if (!this.#isWriting) void this.#writeAll()
    })
  }

  async #admit(ns: NamespaceId): Promise<void> {
    const { control, clock, limits } = this.#deps
    if ((await control.hosts.count(ns)) < limits.hosts) return
    if (await control.transaction(({ hosts }) => hosts.forgetOldest(ns, clock.nowMs() - limits.goneMs))) return
    const detail = `the namespace has ${limits.hosts} hosts with agents; stop some, or wait until one reported nothing for a day`
    throw new GatewayError('quota_exceeded', detail, { field: 'id' })
  }

  async #admitChanges(report: Report, known: ReportedHost | null): Promise<void> {
    const { control, limits } = this.#deps
    const { namespaceId } = report.key
    const { listeners } = await this.#planned(control.hosts, report, known)
    const added = listeners.filter(isNew).length
    if (added > 0 && (await control.hosts.countListeners(namespaceId)) + added > limits.listenersOfNamespace) {
      const detail = `the namespace has ${limits.listenersOfNamespace} listeners; closed ones are forgotten after a week`
      throw new GatewayError('quota_exceeded', detail, { field: 'listeners' })
    }
    const { isAllowed, retryAfterS } = this.#rates.take(namespaceId, listeners.length)
    if (isAllowed) return
    const { changesPerSecond } = limits
    const detail = `listeners of the namespace change more than ${changesPerSecond} times per second; report less often`
    throw new GatewayError('rate_limited', detail, { retryAfterS })
  }

  async #planned(hosts: ReportedHosts, { key, body }: Report, known: ReportedHost | null): Promise<PlannedChange> {
    const { clock, limits } = this.#deps
    const nowMs = clock.nowMs()
    const sum = sumOf(key, body)
    const { machine, agent, intervalMs } = body
    const host = {
      ...key,
      ...{ machine, agent, intervalMs },
      listenersSum: sum ?? known?.listenersSum ?? null,
      firstSeenMs: known?.firstSeenMs ?? nowMs,
      // The clock of another gateway may be ahead.
      lastSeenMs: Math.max(nowMs, known?.lastSeenMs ?? 0),
      listenersSeenMs: sum === null ? (known?.listenersSeenMs ?? null) : Math.max(nowMs, known?.listenersSeenMs ?? 0)
    }
    const { containers } = body
    if (body.listeners === null || sum === known?.listenersSum) return { host, listeners: [], containers, outdated: [] }
    const before: readonly HostListener[] = known === null ? [] : await hosts.listenersOf(key)
    const lastSeenMs = known?.listenersSeenMs ?? nowMs
    const listeners = changedListeners(before, listenersById(key, body.listeners), { nowMs, lastSeenMs })
    return { host, listeners, containers, outdated: outdatedListeners(before, listeners, limits.closedListeners) }
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true
    while (this.#queued.length > 0) {
      const reports = this.#queued
      this.#queued = []
      // Only the report that fails must fail.
      if (!(await this.#write(reports)) && reports.length > 1) for (const report of reports) await this.#write([report], true)
    }
    this.#isWriting = false
  }

  /** Writes all or none. @returns whether it did; a failure rejects the reports when it is `final`, as that of one report is. */
  async #write(reports: readonly QueuedReport[], final = reports.length === 1): Promise<boolean> {
    try {
      const hosts = await this.#deps.control.transaction(async ports => {
        const written: ReportedHost[] = []
        for (const report of reports) written.push(await this.#writeOne(ports.hosts, report))
        return written
      })
      for (const [i, { resolve }] of reports.entries()) resolve(hosts[i]!)
      return true
    } catch (error) {
      if (final) for (const { reject } of reports) reject(error)
      return false
    }
  }

  async #writeOne(hosts: ReportedHosts, report: Report): Promise<ReportedHost> {
    const { outdated, ...change } = await this.#planned(hosts, report, await hosts.host(report.key))
    await hosts.save([change])
    await hosts.forgetListeners(report.key, outdated)
    return change.host
  }
}
