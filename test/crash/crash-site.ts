import { fileURLToPath } from 'node:url'
import type { Target } from '../../bench/load/connection.js'
import { freePort } from '../../bench/service/free-port.js'
import { ServiceProcess } from '../../bench/service/service-process.js'
import { Session } from '../../bench/service/session.js'

// Small enough that a load of some hundred milliseconds passes through seals, merges and checkpoints.
export const TINY_LIMITS = {
  sealRows: 400,
  sealBytes: 200_000,
  sealAgeMs: 300,
  minSegmentRows: 50,
  maxWaitingRows: 800,
  gramIndexRows: 1_000,
  checkpointBytes: 400_000,
  upkeepIntervalMs: 40
}
/** Entry that takes `STORE_LIMITS_FOR_TESTS`. */
export const TUNED_ENTRY = fileURLToPath(new URL('tuned-service.mjs', import.meta.url))

/** One data folder and the service that is started on it again and again, on the same port and with the same keys. */
export class CrashSite {
  readonly dataDir: string
  readonly #port: number
  readonly #limits: object
  #service: ServiceProcess | null = null
  #queryKey = ''

  private constructor(dataDir: string, port: number, limits: object) {
    this.dataDir = dataDir
    this.#port = port
    this.#limits = limits
  }

  /** Starts the service for the first time and makes a key to read with. */
  static async open(dataDir: string, limits: object = TINY_LIMITS): Promise<CrashSite> {
    const site = new CrashSite(dataDir, await freePort(), limits)
    await site.start()
    const session = await Session.operator(site.service)
    const { key } = await session.call<{ key: string }>('POST', '/api/v1/keys', { name: 'recount', kind: 'query' })
    site.#queryKey = key
    return site
  }

  async start(): Promise<void> {
    this.#service = await ServiceProcess.start({
      dataDir: this.dataDir,
      port: this.#port,
      entry: TUNED_ENTRY,
      args: ['--log-level', 'warn'],
      env: { STORE_LIMITS_FOR_TESTS: JSON.stringify(this.#limits) }
    })
  }

  get service(): ServiceProcess {
    return this.#service!
  }

  get target(): Target {
    return { host: '127.0.0.1', port: this.#port, apiKey: this.service.firstRun().apiKey }
  }

  /** Reads as the query key does; good for as long as the run lasts. */
  get session(): Session {
    return Session.withKey(this.service.url, this.#queryKey)
  }
}
