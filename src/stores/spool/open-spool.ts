import type { NamespaceId } from '../../domain/ids.js'
import type { RecordSpool, ReplayedRecords } from '../../ports/record-spool.js'
import type { StoreHealth } from '../../ports/stores.js'
import type { WaitingCount } from '../../ports/waiting-board.js'
import type { Engine } from '../shared/engine.js'
import { healthInTime } from '../shared/engine.js'
import { QueueBudget } from '../shared/queue-budget.js'
import { Circuit } from './circuit.js'
import { DEFAULT_SPOOL_LIMITS, type SpoolLimits } from './limits.js'
import { Replayer } from './replayer.js'
import { Spool, type SpoolDeps } from './spool.js'
import { replaySignals, type Signals, wrapStores } from './spooled-stores.js'
import type { Timers } from '../../ports/timers.js'
import type { SpoolSignal } from './spool-frames.js'
import { systemTimers } from '../../threads/system-timers.js'
import { CutTimers } from './timers.js'

/** How to open the spool. */
export interface OpenSpoolOptions extends Omit<SpoolDeps, 'limits'> {
  readonly limits?: Partial<SpoolLimits>
  readonly timers?: Timers
  /** In [0, 1). */
  readonly random?: () => number
}

/** The spool of a gateway, over all managed engines. Also an engine of its own among the others, for health and gauges. */
export interface OpenedSpool extends Engine, RecordSpool {
  /** What waits of all namespaces, in a fixed order. */
  waitingOfAll(): readonly WaitingCount[]
  /** `engine`, whose appends outlast an outage: its health states whether they are acknowledged meanwhile. */
  spooled<E extends Engine & Signals>(engine: E): Spooled<E>
}

/** An engine as far as the spool passes it on. */
export type Spooled<E extends Engine & Signals> = Engine & Pick<E, keyof E & keyof Signals>

const NAME = 'spool'
const MS_PER_S = 1_000
/** Less than the timeout of a health check of all stores. */
const HEALTH_TIMEOUT_MS = 1_500

/** Opens the spool in its folder, reading what an earlier start left. `conflict` when another process holds it. */
export async function openSpool(options: OpenSpoolOptions): Promise<OpenedSpool> {
  const limits = { ...DEFAULT_SPOOL_LIMITS, ...options.limits }
  const timers = new CutTimers(options.timers ?? systemTimers)
  const spool = await Spool.open({ ...options, limits })
  return new GatewaySpool(spool, { ...options, limits, timers })
}

interface GatewaySpoolDeps extends Omit<OpenSpoolOptions, 'limits' | 'timers'> {
  readonly limits: SpoolLimits
  readonly timers: CutTimers
}

class GatewaySpool implements OpenedSpool {
  readonly name = NAME
  readonly #spool: Spool
  readonly #parts: GatewaySpoolDeps
  readonly #replayers: Replayer[] = []
  #onReplayed: (outcome: ReplayedRecords) => void = () => undefined
  #replayed = { stored: 0, rejected: 0 }
  #isStarted = false
  #closing: Promise<void> | null = null

  constructor(spool: Spool, parts: GatewaySpoolDeps) {
    this.#spool = spool
    this.#parts = parts
  }

  spooled<E extends Engine & Signals>(engine: E): Spooled<E> {
    const { limits, timers, clock, logger, jobs } = this.#parts
    const random = this.#parts.random ?? Math.random
    const monotonicMs = (): number => clock.monotonicMs()
    const circuit = new Circuit({ limits, monotonicMs, random })
    const replayed = replaySignals(engine)
    const replayer = new Replayer({
      spool: this.#spool,
      signals: replayed,
      circuit,
      limits,
      timers,
      monotonicMs,
      random,
      logger,
      job: jobs.monitor(`spool_drain_${engine.name}`),
      onReplayed: outcome => this.#note(outcome)
    })
    this.#replayers.push(replayer)
    if (this.#isStarted) replayer.start()
    const inFlight = new QueueBudget(limits.maxInFlightRecords)
    const shared = { spool: this.#spool, replayer, circuit, inFlight, limits, timers }
    const stores = wrapStores(engine, shared)
    const signals = new Set(replayed.keys())
    const rest: Engine = {
      name: engine.name,
      health: () => this.#healthOf(engine, circuit, signals),
      sizes: () => engine.sizes(),
      gauges: () => engine.gauges(),
      close: () => engine.close()
    }
    return { ...rest, ...stores } as Spooled<E>
  }

  waitingOfAll(): readonly WaitingCount[] {
    return this.#spool.waitingOfAll()
  }

  waiting(ns: NamespaceId): ReturnType<RecordSpool['waiting']> {
    return this.#spool.waiting(ns)
  }

  start(onReplayed: (outcome: ReplayedRecords) => void): void {
    if (this.#isStarted) return
    this.#isStarted = true
    this.#onReplayed = onReplayed
    for (const replayer of this.#replayers) replayer.start()
  }

  async health(): Promise<readonly StoreHealth[]> {
    const { trouble, notes } = this.#spool
    const detail = [trouble, this.#describe(), notes].filter(text => text !== '').join('; ')
    return [{ name: NAME, healthy: trouble === '', latencyMs: null, detail }]
  }

  async sizes(): Promise<[]> {
    return []
  }

  async gauges(): Promise<Readonly<Record<string, number>>> {
    const { fileBytes, waitingBytes, records, frames, files, namespaces, refused, setAside, oldestMs } = this.#spool.numbers
    return {
      bytes: fileBytes,
      waiting_bytes: waitingBytes,
      records,
      frames,
      files,
      namespaces,
      oldest_age_seconds: oldestMs === null ? 0 : Math.max(0, this.#parts.clock.nowMs() - oldestMs) / MS_PER_S,
      draining: this.#replayers.reduce((sum, { draining }) => sum + draining, 0),
      refused,
      set_aside: setAside,
      replayed_stored: this.#replayed.stored,
      replayed_rejected: this.#replayed.rejected
    }
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close())
  }

  async #close(): Promise<void> {
    const ends = this.#replayers.map(replayer => replayer.close())
    this.#parts.timers.cut()
    await Promise.all(ends)
    await this.#spool.close()
  }

  #note(outcome: ReplayedRecords): void {
    this.#replayed.stored += outcome.stored
    this.#replayed.rejected += outcome.rejected
    this.#onReplayed(outcome)
  }

  /**
   * What waits is sent again and so finds out when the engine is back. When nothing waits and the pause is over, the result
   * of the engine itself closes the circuit: no append might come for long.
   */
  async #healthOf(engine: Engine, circuit: Circuit, signals: ReadonlySet<SpoolSignal>): Promise<readonly StoreHealth[]> {
    const acks = this.#spool.trouble === ''
    const read = await healthInTime(engine.name, () => engine.health(), HEALTH_TIMEOUT_MS)
    const isIdle = circuit.isOpen && this.#spool.waitingQueues(signals).length === 0
    if (isIdle && read.every(({ healthy }) => healthy) && circuit.mayTry()) circuit.succeeded()
    return read.map(health => {
      if (!health.healthy) return { ...health, acks }
      return circuit.isOpen ? { ...health, healthy: false, acks, detail: circuit.reason, diagnosis: circuit.diagnosis } : health
    })
  }

  #describe(): string {
    const { records, namespaces, waitingBytes, oldestMs } = this.#spool.numbers
    if (oldestMs === null) return ''
    const ageS = Math.max(0, Math.round((this.#parts.clock.nowMs() - oldestMs) / MS_PER_S))
    const of = namespaces === 1 ? '1 namespace' : `${namespaces} namespaces`
    return `${records} records of ${of} wait for their store (${waitingBytes} bytes, the oldest for ${ageS} s)`
  }
}
