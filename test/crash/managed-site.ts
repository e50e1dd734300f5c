import { join } from 'node:path'
import type { Target } from '../../bench/load/connection.js'
import { freePort } from '../../bench/service/free-port.js'
import { ServiceProcess } from '../../bench/service/service-process.js'
import { Session } from '../../bench/service/session.js'
import { Balancer } from './balancer.js'
import type { OpenRotationSite, RotationSite } from './rotation-site.js'

/** Addresses of the servers of a site. */
export interface ManagedStores {
  /** Of a database of PostgreSQL that no other service uses. */
  readonly databaseUrl: string
  readonly elasticsearchUrl: string
}

const GATEWAYS = 2
/** A busy machine starts a gateway late; that is not what is tested. */
const READY_TIMEOUT_MS = 180_000
const SECRETS_KEY = 'a secrets key of more than 32 characters'

/** Two gateways on one PostgreSQL and one Elasticsearch, behind one address. */
export class ManagedSite implements RotationSite {
  readonly #folder: string
  readonly #stores: ManagedStores
  readonly #gateways: ServiceProcess[] = []
  readonly #ports: readonly number[]
  readonly #balancer: Balancer
  #killed = 0
  #queryKey = ''

  private constructor(folder: string, stores: ManagedStores, ports: readonly number[], balancer: Balancer) {
    this.#folder = folder
    this.#stores = stores
    this.#ports = ports
    this.#balancer = balancer
  }

  /** Starts the gateways and makes a key to read with. */
  static async open(folder: string, stores: ManagedStores): Promise<ManagedSite> {
    const ports: number[] = []
    while (ports.length < GATEWAYS) ports.push(await freePort())
    const site = new ManagedSite(folder, stores, ports, await Balancer.listen(ports))
    try {
      for (let at = 0; at < GATEWAYS; at++) await site.#start(at)
      const session = await Session.operator(site.#gateways[0]!)
      const made = await session.call<{ key: string }>('POST', '/api/v1/keys', { name: 'recount', kind: 'query' })
      site.#queryKey = made.key
      return site
    } catch (error) {
      await site.close()
      throw error
    }
  }

  get target(): Target {
    return { host: '127.0.0.1', port: this.#balancer.port, apiKey: this.#gateways[0]!.firstRun().apiKey }
  }

  get session(): Session {
    return Session.withKey(`http://127.0.0.1:${this.#balancer.port}`, this.#queryKey)
  }

  async kill(draw: number): Promise<void> {
    this.#killed = Math.floor(draw * GATEWAYS)
    await this.#gateways[this.#killed]!.stop('SIGKILL')
  }

  start(): Promise<void> {
    return this.#start(this.#killed)
  }

  async close(): Promise<void> {
    await Promise.all(this.#gateways.map(gateway => gateway.stop('SIGKILL')))
    await this.#balancer.close()
  }

  async #start(at: number): Promise<void> {
    this.#gateways[at] = await ServiceProcess.start({
      dataDir: join(this.#folder, `gateway-${at}`),
      port: this.#ports[at]!,
      readyTimeoutMs: READY_TIMEOUT_MS,
      args: ['--elasticsearch-url', this.#stores.elasticsearchUrl, '--log-level', 'warn'],
      env: { ALIDADE_DATABASE_URL: this.#stores.databaseUrl, ALIDADE_SECRETS_KEY: SECRETS_KEY }
    })
  }
}

/** Opens sites on running servers. */
export function openManagedSite(stores: ManagedStores): OpenRotationSite {
  return folder => ManagedSite.open(folder, stores)
}
