import type { NamespaceId } from '../../domain/ids.js'
import type { Namespace } from '../../domain/namespace.js'
import type { AlertRules } from '../../ports/alert-rules.js'
import type { AlertStates, ShardLease } from '../../ports/alert-states.js'
import type { BackgroundJobs, JobMonitor } from '../../ports/background-jobs.js'
import type { Clock } from '../../ports/clock.js'
import type { ControlChange, ControlChanges } from '../../ports/control-changes.js'
import type { NamespaceDirectory } from '../../ports/namespace-directory.js'
import type { Timers } from '../../ports/timers.js'
import { Slots } from '../../threads/slots.js'
import { EVALUATIONS_AT_ONCE, EVALUATIONS_OF_ONE, FLUSH_EVERY_MS, MAX_SLEEP_MS, RETRY_AFTER_MS } from './bounds.js'
import { DueQueue } from './due-queue.js'
import { RuleEvaluator, type RuleEvaluatorDeps } from './rule-evaluator.js'
import { RuleTable } from './rule-table.js'
import type { ScheduledRule } from './scheduled-rule.js'
import type { ShardLeases } from './shard-leases.js'
import { StateWriter } from './state-writer.js'
import { nextStep } from './step-times.js'

/** Names among the background jobs. */
const EVALUATION = 'alert_evaluation'
const STATES = 'alert_states'
const RULES = 'alert_rules'

/** Dependencies of `AlertScheduler`. */
export interface AlertSchedulerDeps extends Pick<RuleEvaluatorDeps, 'reader' | 'samples' | 'slices' | 'onFinished' | 'reach'> {
  readonly rules: Pick<AlertRules, 'groups' | 'rules' | 'ofShard'>
  readonly states: Pick<AlertStates, 'load' | 'states' | 'commit'>
  /** Address of the console, for templates. */
  readonly externalUrl: string
  /** Null when no other process writes rules. */
  readonly changes: ControlChanges | null
  readonly leases: ShardLeases
  readonly directory: Pick<NamespaceDirectory, 'byId'>
  readonly clock: Clock
  readonly timers: Timers
  readonly jobs: Pick<BackgroundJobs, 'run' | 'monitor'>
  /** Called after new events of a namespace are stored, with the lease under which they were. */
  readonly onEvents: (ns: NamespaceId, lease: ShardLease) => void
}

/**
 * Evaluates the rules of the shards that this process holds at their steps, those that were missed too. Namespaces share the
 * slots round robin, so that the rules of one delay those of others by one evaluation at most.
 */
export class AlertScheduler {
  readonly #deps: AlertSchedulerDeps
  readonly #job: JobMonitor
  readonly #queue = new DueQueue<ScheduledRule>()
  readonly #slots = new Slots<NamespaceId>({ size: EVALUATIONS_AT_ONCE, mostOfOne: EVALUATIONS_OF_ONE })
  readonly #writer: StateWriter
  readonly #evaluator: RuleEvaluator
  readonly #table: RuleTable
  readonly #running = new Set<Promise<void>>()
  /** Namespaces whose changed rules could not be read yet. */
  readonly #unread = new Set<NamespaceId>()
  #cancelTick: () => void = () => undefined
  #cancelFlush: () => void = () => undefined
  #flushing: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(deps: AlertSchedulerDeps) {
    this.#deps = deps
    this.#job = deps.jobs.monitor(EVALUATION)
    this.#writer = new StateWriter(deps)
    const instancesOf = (ns: NamespaceId): number => this.#table.instancesOf(ns)
    this.#evaluator = new RuleEvaluator({ ...deps, writer: this.#writer, instancesOf })
    this.#table = new RuleTable({ ...deps, writer: this.#writer, onRule: rule => this.#schedule(rule) })
    deps.leases.subscribe({
      taken: lease => this.#readShard(lease),
      lost: shard => this.#table.dropShard(shard)
    })
    deps.changes?.subscribe(change => this.#follow(change))
  }

  /** Rules that are evaluated here. */
  get rules(): number {
    return this.#table.size
  }

  /** Evaluations that wait for a slot. */
  get waiting(): number {
    return this.#slots.waiting
  }

  /** Takes the shards that are free and begins. Resolves when their rules are read. */
  async start(): Promise<void> {
    this.#tick()
    this.#flushLater()
    await this.#deps.leases.start()
    await this.#table.settled()
  }

  /** To be called after rules of a namespace have changed here. */
  reload(ns: NamespaceId): void {
    this.#unread.add(ns)
    this.#read(async () => {
      await this.#table.reload(ns)
      this.#unread.delete(ns)
    })
  }

  /** Resolves when no evaluation is in progress or waits, and all rules are read. */
  async settled(): Promise<void> {
    await this.#table.settled()
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  /** Ends evaluations in progress, which are repeated by whoever takes their shards next, and gives all leases back. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancelTick()
    this.#cancelFlush()
    await this.#deps.leases.stop()
    await this.#table.settled()
    await this.#flushing
    await this.#flush()
    await this.#deps.leases.release()
    await this.settled()
  }

  #follow(change: ControlChange): void {
    if (change.kind === 'alert_rules') this.reload(change.namespaceId)
    // Notifications were lost: everything is read again.
    if (change.kind !== 'anything') return
    this.#readAll()
  }

  #readAll(): void {
    for (const lease of this.#deps.leases.held()) this.#readShard(lease)
  }

  /** A shard whose rules cannot be read is not held: the next round of leases takes it again. */
  #readShard(lease: ShardLease): void {
    this.#read(async () => {
      try {
        await this.#table.readShard(lease)
      } catch (error) {
        this.#deps.leases.lose(lease)
        throw error
      }
    })
  }

  /** Reads rules in the background. */
  #read(work: () => Promise<void>): void {
    if (!this.#isStopped) void this.#deps.jobs.run(RULES, work)
  }

  #schedule(rule: ScheduledRule): void {
    this.#scheduleAt(nextStep(rule.doneMs, rule.grid), rule)
  }

  #scheduleAt(atMs: number, rule: ScheduledRule): void {
    this.#queue.push(atMs, rule)
    this.#arm()
  }

  /** Sleeps until the first rule is due, but not for long. */
  #arm(): void {
    this.#cancelTick()
    if (this.#isStopped) return
    const { nextMs } = this.#queue
    const waitMs = nextMs === null ? MAX_SLEEP_MS : nextMs - this.#deps.clock.nowMs()
    this.#cancelTick = this.#deps.timers.after(Math.min(Math.max(waitMs, 0), MAX_SLEEP_MS), () => this.#tick())
  }

  #tick(): void {
    const nowMs = this.#deps.clock.nowMs()
    for (let rule = this.#queue.popDue(nowMs); rule !== undefined; rule = this.#queue.popDue(nowMs)) {
      const running = this.#run(rule).finally(() => this.#running.delete(running))
      this.#running.add(running)
    }
    this.#arm()
  }

  /** Evaluates a rule when it has a slot, and puts it back into the queue. Never rejects. */
  async #run(rule: ScheduledRule): Promise<void> {
    const { namespaceId } = rule.rule
    const release = await this.#slots.request(namespaceId).granted
    try {
      if (rule.isEnded) return
      await this.#evaluate(rule, namespaceId)
      this.#job.succeeded()
    } catch (error) {
      if (rule.isEnded) return
      this.#job.failed(error)
      this.#scheduleAt(this.#deps.clock.nowMs() + RETRY_AFTER_MS, rule)
    } finally {
      release()
    }
  }

  async #evaluate(rule: ScheduledRule, ns: NamespaceId): Promise<void> {
    const { directory, leases, clock } = this.#deps
    const namespace = directory.byId(ns)
    if (namespace === null || isGone(namespace)) return this.#table.drop(ns)
    // Its steps are caught up when it is active again.
    if (namespace.state === 'suspended') return this.#scheduleAt(nextStep(clock.nowMs(), rule.grid), rule)
    // Its renewal is late; what is evaluated now could not be written.
    if (leases.of(rule.shard) === null) return this.#scheduleAt(clock.nowMs() + RETRY_AFTER_MS, rule)
    await this.#evaluator.evaluate(rule, namespace)
    if (!rule.isEnded) this.#schedule(rule)
  }

  #flushLater(): void {
    this.#cancelFlush = this.#deps.timers.after(FLUSH_EVERY_MS, () => {
      this.#flushing = this.#flush()
      for (const ns of this.#unread) this.reload(ns)
      if (this.#deps.changes?.isCurrent() === false) this.#readAll()
      this.#flushLater()
    })
  }

  #flush(): Promise<void> {
    return this.#deps.jobs.run(STATES, () => this.#writer.flush())
  }
}

function isGone({ state }: Namespace): boolean {
  return state === 'deleting' || state === 'deleted'
}
