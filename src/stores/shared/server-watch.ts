import { diagnosisOf, GatewayError } from '../../domain/errors.js'
import type { Clock } from '../../ports/clock.js'
import type { Timers } from '../../ports/timers.js'

/** When a server is suspected, and how the watch determines whether it responds. */
export interface WatchLimits {
  /** A request without a response for so long makes its server suspect. */
  readonly suspectAfterMs: number
  /** How often a server is probed while it is suspect or out. */
  readonly probeEveryMs: number
  readonly probeTimeoutMs: number
  /** Probes in a row without a result that take a server out. */
  readonly probesToEject: number
}

/** The defaults. A pause for garbage collection is shorter than two probes. */
export const DEFAULT_WATCH_LIMITS: WatchLimits = {
  suspectAfterMs: 1_000,
  probeEveryMs: 500,
  probeTimeoutMs: 1_200,
  probesToEject: 2
}

const RETRY_AFTER_S = 1

/** A server that is known not to respond. */
export class ServerOutage extends GatewayError {
  /** It accepts connections, or leaves them pending, and sends nothing; else it refuses them, which is found out at once. */
  readonly isSilent: boolean

  constructor(sentence: string, { diagnosis, isSilent }: { readonly diagnosis: string; readonly isSilent: boolean }) {
    super('store_unavailable', sentence, { diagnosis, retryAfterS: RETRY_AFTER_S })
    this.name = 'ServerOutage'
    this.isSilent = isSilent
  }
}

/** What a watch works with. */
export interface WatchDeps {
  /** As callers know it: `the search store`. */
  readonly name: string
  /** As operators know it. */
  readonly address: string
  /** A request to which a healthy server responds at once; any response counts. Rejects without a response. */
  readonly probe: (signal: AbortSignal) => Promise<void>
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly timers: Timers
  readonly limits?: Partial<WatchLimits>
  /** Called when the server is taken out, and with null once it responds again. */
  readonly onChange?: (outage: ServerOutage | null) => void
}

/** A request that waits for its result. */
interface PendingProbe {
  readonly sinceMs: number
  readonly onOutage: (outage: ServerOutage) => void
}

/**
 * Whether a server responds at all. A slow response does not show that, so a server is probed as soon as one is slow. A
 * server that does not respond to probes is out and its requests end at once; its first response to a probe ends that.
 */
export class ServerWatch {
  readonly address: string
  readonly #parts: WatchDeps
  readonly #limits: WatchLimits
  readonly #waiting = new Set<PendingProbe>()
  #outage: ServerOutage | null = null
  #failedProbes = 0
  #probing: Promise<ServerOutage | null> | null = null
  #cancelTick: (() => void) | null = null
  #isClosed = false

  constructor(parts: WatchDeps) {
    this.address = parts.address
    this.#parts = parts
    this.#limits = { ...DEFAULT_WATCH_LIMITS, ...parts.limits }
  }

  /** Why requests cannot be served; null while they can. */
  get outage(): ServerOutage | null {
    return this.#outage
  }

  /** A request begins; the result ends it. `onOutage` is called when the server is taken out meanwhile. Throws while it is silent. */
  enter(onOutage: (outage: ServerOutage) => void): () => void {
    if (this.#outage?.isSilent) throw this.#outage
    const waiting: PendingProbe = { sinceMs: this.#parts.clock.monotonicMs(), onOutage }
    this.#waiting.add(waiting)
    this.#tickLater()
    return () => this.#waiting.delete(waiting)
  }

  /** Runs `work` with a signal that aborts with the caller's, and when the server is taken out; rejects with the outage then. */
  async run<T>(work: (signal: AbortSignal) => Promise<T>, caller?: AbortSignal): Promise<T> {
    const ending = new AbortController()
    const abort = (): void => ending.abort(caller?.reason)
    caller?.addEventListener('abort', abort, { once: true })
    let leave = (): unknown => undefined
    try {
      caller?.throwIfAborted()
      leave = this.enter(outage => ending.abort(outage))
      return await work(ending.signal)
    } catch (error) {
      ending.signal.throwIfAborted()
      throw error
    } finally {
      leave()
      caller?.removeEventListener('abort', abort)
    }
  }

  /** Something went wrong with a connection: finds out whether the server is there. */
  suspect(): void {
    void this.#probe(1)
  }

  /** Probes now; one probe without a result takes the server out. Returns the outage, null when it is well. */
  examine(): Promise<ServerOutage | null> {
    return this.#probe(1)
  }

  /** Probes no more. */
  close(): void {
    this.#isClosed = true
    this.#cancelTick?.()
    this.#cancelTick = null
  }

  /** Probes until nothing waits and the server is well. */
  #tickLater(): void {
    if (this.#cancelTick || this.#isClosed) return
    this.#cancelTick = this.#parts.timers.after(this.#limits.probeEveryMs, () => {
      this.#cancelTick = null
      void this.#tick()
    })
  }

  async #tick(): Promise<void> {
    const since = this.#parts.clock.monotonicMs() - this.#limits.suspectAfterMs
    const [oldest] = this.#waiting
    const isSlow = oldest !== undefined && oldest.sinceMs <= since
    if (this.#outage || isSlow) await this.#probe(this.#limits.probesToEject)
    if (this.#outage || this.#waiting.size > 0) this.#tickLater()
  }

  async #probe(probesToEject: number): Promise<ServerOutage | null> {
    const failure = await this.#requestOnce()
    if (failure === null) this.#isBack()
    else if (this.#failedProbes >= probesToEject) this.#takeOut(failure)
    return this.#outage
  }

  /** One probe at a time, which callers of one moment share. */
  #requestOnce(): Promise<ServerOutage | null> {
    this.#probing ??= this.#requestServer().finally(() => (this.#probing = null))
    return this.#probing
  }

  async #requestServer(): Promise<ServerOutage | null> {
    const { probe, timers, name, address } = this.#parts
    const { probeTimeoutMs } = this.#limits
    const ending = new AbortController()
    const diagnosis = `${address} did not respond to a probe within ${probeTimeoutMs} ms`
    const late = new ServerOutage(`${name} is unavailable`, { diagnosis, isSilent: true })
    let cancel = (): void => undefined
    const silence = new Promise<never>((_resolve, reject) => {
      // A result that waits in the socket because this process was busy is in time.
      cancel = timers.after(probeTimeoutMs, () => setImmediate(reject, late))
    })
    try {
      await Promise.race([probe(ending.signal), silence])
      return null
    } catch (error) {
      this.#failedProbes++
      if (error === late) return late
      return new ServerOutage(`${name} cannot be reached`, { diagnosis: `${address}: ${diagnosisOf(error)}`, isSilent: false })
    } finally {
      cancel()
      ending.abort()
    }
  }

  #isBack(): void {
    this.#failedProbes = 0
    if (!this.#outage) return
    this.#outage = null
    this.#parts.onChange?.(null)
  }

  #takeOut(outage: ServerOutage): void {
    const isNew = this.#outage === null
    this.#outage = outage
    for (const { onOutage } of this.#waiting) onOutage(outage)
    this.#waiting.clear()
    this.#tickLater()
    if (isNew) this.#parts.onChange?.(outage)
  }
}
