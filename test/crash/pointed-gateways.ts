import { join } from 'node:path'
import { freePort } from '../../bench/service/free-port.js'
import { ServiceProcess } from '../../bench/service/service-process.js'
import type { AlertFailPoint } from '../../src/alerting/fail-points.js'
import { TUNED_ENTRY } from './crash-site.js'

/** What a gateway does at a fail point, once it has passed it `skip` times. */
export interface ArmedPoint {
  readonly point: AlertFailPoint
  readonly signal: 'SIGKILL' | 'SIGSTOP'
  readonly skip: number
}

/** Where gateways keep what they have. */
export interface GatewayPlaces {
  readonly folder: string
  /** Settings that all of them have, such as the URLs of what they share. */
  readonly env: Readonly<Record<string, string>>
}

/** A start takes two seconds on an idle machine, and tens of seconds while others build. */
const READY_LIMIT_MS = 120_000
const SECRETS_KEY = 'a secrets key of more than 32 characters'
const UNARMED = { point: '', signal: 'SIGKILL', skip: 0 }

/** The data folder of a gateway. */
export function gatewayFolder(folder: string, at: number): string {
  return join(folder, `gateway-${at}`)
}

/** Gateways that report the fail points which they reach, each with a data folder and a port of its own. */
export class PointedGateways {
  readonly #places: GatewayPlaces
  readonly #ports: readonly number[]
  readonly #processes: ServiceProcess[] = []
  readonly #paused = new Set<number>()

  private constructor(places: GatewayPlaces, ports: readonly number[]) {
    this.#places = places
    this.#ports = ports
  }

  /** Starts them, one after the other. */
  static async open(count: number, places: GatewayPlaces): Promise<PointedGateways> {
    const ports: number[] = []
    while (ports.length < count) ports.push(await freePort())
    const gateways = new PointedGateways(places, ports)
    try {
      for (let at = 0; at < count; at++) await gateways.start(at)
      return gateways
    } catch (error) {
      await gateways.stop()
      throw error
    }
  }

  at(at: number): ServiceProcess {
    return this.#processes[at]!
  }

  /** Starts a gateway again, on its folder and port, and waits until it is ready. */
  async start(at: number): Promise<void> {
    await this.spawn(at)
    await this.ready(at)
  }

  /** Waits until a gateway is ready. */
  ready(at: number): Promise<void> {
    return this.at(at).ready(READY_LIMIT_MS)
  }

  /** Starts a gateway without waiting for anything. */
  async spawn(at: number, armed: ArmedPoint | null = null): Promise<ServiceProcess> {
    const { folder, env } = this.#places
    const gateway = await ServiceProcess.spawn({
      ...{ dataDir: gatewayFolder(folder, at), port: this.#ports[at]!, entry: TUNED_ENTRY, args: ['--log-level', 'warn'] },
      env: { ALIDADE_SECRETS_KEY: SECRETS_KEY, ...env, ALERT_FAIL_POINT_FOR_TESTS: JSON.stringify(armed ?? UNARMED) }
    })
    this.#processes[at] = gateway
    return gateway
  }

  /** Starts a gateway that a point kills, and waits for that. */
  async spawnAndDie(at: number, armed: ArmedPoint, limitMs: number): Promise<void> {
    const gateway = await this.spawn(at, armed)
    const limit = setTimeout(() => void gateway.stop('SIGTERM'), limitMs)
    await gateway.exited()
    clearTimeout(limit)
    if (gateway.exitCode !== 'SIGKILL') throw new Error(`${armed.point} was not reached:\n${gateway.output}`)
  }

  /** The gateway that reaches a point next. Rejects when all have ended, or `signal` is aborted. */
  async nextAt(point: AlertFailPoint, signal?: AbortSignal): Promise<number> {
    const running = [...this.#processes.entries()].filter(([at, gateway]) => !this.#paused.has(at) && !gateway.hasExited)
    const found = new AbortController()
    const ends = AbortSignal.any([found.signal, ...(signal ? [signal] : [])])
    try {
      return await Promise.any(
        running.map(async ([at, gateway]) => {
          await gateway.wrote(new RegExp(`^reached ${point}$`), ends)
          return at
        })
      )
    } finally {
      found.abort()
    }
  }

  /** Stops a gateway in the middle of what it does, or lets it go on. */
  pause(at: number, isPaused: boolean): void {
    if (isPaused) this.#paused.add(at)
    else this.#paused.delete(at)
    process.kill(this.at(at).pid, isPaused ? 'SIGSTOP' : 'SIGCONT')
  }

  /** Ends all gateways with kill -9. */
  async kill(): Promise<void> {
    await Promise.all(this.#processes.map(gateway => gateway.stop('SIGKILL')))
    this.#paused.clear()
  }

  async stop(): Promise<void> {
    for (const at of this.#paused) this.pause(at, false)
    await Promise.all(this.#processes.map(gateway => gateway.stop()))
  }
}
