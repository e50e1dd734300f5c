import { AlertScheduler } from '../../src/alerting/schedule/alert-scheduler.js'
import type { RecordedSample } from '../../src/alerting/schedule/recording.js'
import { ShardLeases } from '../../src/alerting/schedule/shard-leases.js'
import { gridOf, nextStep } from '../../src/alerting/schedule/step-times.js'
import type { AlertRule } from '../../src/domain/alerts/alert-rule.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { Namespace } from '../../src/domain/namespace.js'
import type { EvaluationFigures } from '../../src/ports/evaluation-figures.js'
import { EventLoopSlices } from '../../src/threads/event-loop-slices.js'
import { alertGroup, alertRule, SHOP } from '../contract/alert-fixtures.js'
import { namespace } from '../contract/control-fixtures.js'
import { ManualTime } from './manual-time.js'
import { MemoryAlerts } from './memory-alerts.js'
import { quietJobs } from './quiet-jobs.js'
import { ScriptedConditions } from './scripted-conditions.js'

export const MINUTE_MS = 60_000

/** A gateway over the shared store, and what it reported. */
export interface AlertProcess {
  readonly scheduler: AlertScheduler
  readonly failures: unknown[]
  readonly finished: EvaluationFigures[]
  /** Namespaces whose events it stored. */
  readonly events: string[]
}

/** Schedulers over one store, with a clock that moves only when a test moves it. */
export class AlertWorld {
  readonly time = new ManualTime()
  readonly store = new MemoryAlerts(this.time)
  readonly conditions = new ScriptedConditions()
  readonly namespaces = new Map<NamespaceId, Namespace>([[SHOP, namespace('shop')]])
  readonly recorded: RecordedSample[] = []
  /** Why samples of recording rules are rejected. */
  rejection: string | null = null
  readonly #started: AlertScheduler[] = []

  constructor() {
    this.store.put(alertGroup('g'))
  }

  /** Starts a gateway; with a clock of its own, it can be paused. */
  async start(holder = 'here', own: ManualTime = this.time): Promise<AlertProcess> {
    const failures: unknown[] = []
    const finished: EvaluationFigures[] = []
    const events: string[] = []
    const jobs = quietJobs((_, error) => failures.push(error))
    const scheduler = new AlertScheduler({
      ...{ rules: this.store, states: this.store, changes: null, clock: own, timers: own, jobs, reach: () => undefined },
      leases: new ShardLeases({ leases: this.store, holder, clock: own, timers: own, jobs, reach: () => undefined }),
      directory: { byId: id => this.namespaces.get(id) ?? null },
      reader: this.conditions,
      samples: {
        write: async (_, samples) => {
          this.recorded.push(...samples)
          return { rejected: this.rejection, overflow: null }
        }
      },
      slices: new EventLoopSlices(own),
      externalUrl: 'https://alidade.example',
      onFinished: evaluation => finished.push(evaluation),
      onEvents: ns => events.push(ns)
    })
    this.#started.push(scheduler)
    await scheduler.start()
    return { scheduler, failures, finished, events }
  }

  /** Stops all gateways. */
  async stop(): Promise<void> {
    await Promise.all(this.#started.map(scheduler => scheduler.stop()))
  }

  /** Lets time pass in seconds, each with what falls due in it. */
  async pass(ms: number, ...processes: readonly AlertProcess[]): Promise<void> {
    for (let left = ms; left > 0; left -= 1_000) {
      this.time.pass(Math.min(left, 1_000))
      for (const { scheduler } of processes) await scheduler.settled()
    }
  }

  /** As `pass` while evaluations are blocked. */
  async passBlocked(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 1_000) {
      this.time.pass(Math.min(left, 1_000))
      await flush()
    }
  }

  /** A rule that fires at once, written now. */
  rule(id: string, changes: Partial<AlertRule> = {}): AlertRule {
    return alertRule(id, { threshold: null, forMs: 0, labels: [], updatedAtMs: this.time.nowMs(), ...changes })
  }
}

/** Lets what is ready run, without waiting for what is blocked. */
export async function flush(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise(resolve => setImmediate(resolve))
}

/** The first `count` steps of a rule after a time. */
export function stepsOf(id: string, afterMs: number, count: number, intervalMs = MINUTE_MS): readonly number[] {
  const first = nextStep(afterMs, gridOf(id, intervalMs))
  return Array.from({ length: count }, (_, at) => first + at * intervalMs)
}
