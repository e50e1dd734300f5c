import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Access } from '../access/access.js'
import type { AdminChannel } from './admin-channel.js'
import type { FirstCredentials } from '../access/first-start.js'
import type { Alerting } from './alerting.js'
import { type Addresses, urlOf } from './addresses.js'
import type { Config } from '../config/config.js'
import type { Housekeeping } from './housekeeping.js'
import type { Ingest } from '../ingest/ingest.js'
import type { Servers } from './servers.js'
import type { PromqlThreads } from '../query/promql/promql-threads.js'
import type { OpenedStores } from '../stores/assemble/open.js'
import type { SelfMetrics } from '../telemetry/self-metrics.js'

/** The default ports of OTLP exporters that are given a host alone (OTLP specification 1.11). */
const DEFAULT_OTLP_PORTS = { otlpHttpPort: 4318, otlpGrpcPort: 4317 } as const

const NAMES = { otlpHttpPort: 'otlp_http_port', otlpGrpcPort: 'otlp_grpc_port' } as const
const WHAT = { otlpHttpPort: 'OTLP over HTTP', otlpGrpcPort: 'OTLP over gRPC' } as const

/** Both servers name the system's error code in their messages. */
function isTaken(error: unknown): boolean {
  return String(error).includes('EADDRINUSE')
}

/**
 * Binds a port of OTLP by `listen` and returns its URL. A port that the settings name must be free; the default one is skipped if
 * another program uses it, since the API's port takes OTLP over HTTP as well. Returns null then.
 */
async function bindOtlpPort(
  { config, logger }: { readonly config: Config; readonly logger: Pick<Logger, 'warn'> },
  key: keyof typeof DEFAULT_OTLP_PORTS,
  listen: (port: number) => Promise<number>
): Promise<string | null> {
  const port = config[key] ?? DEFAULT_OTLP_PORTS[key]
  try {
    return urlOf(config.host, await listen(port))
  } catch (error) {
    if (!isTaken(error)) throw error
    const sentence = `port ${port} for ${WHAT[key]} is in use`
    const remedy = `set ${NAMES[key]} to a free port, or to 0 to disable it`
    if (config[key] !== null) throw new Error(`${sentence}: ${remedy}`, { cause: error })
    logger.warn(`${sentence}, so it is disabled; ${remedy}`)
    return null
  }
}

/** The parts of a running service, in the order in which they were opened. */
export interface RunningDeps {
  readonly config: Config
  readonly logger: Pick<Logger, 'warn'>
  readonly stores: OpenedStores
  readonly metrics: SelfMetrics
  readonly access: Access
  readonly ingest: Ingest
  readonly housekeeping: Housekeeping
  readonly adminChannel: AdminChannel
  readonly servers: Servers
  readonly promqlThreads: Pick<PromqlThreads, 'close'>
  readonly alerting: Pick<Alerting, 'stop'>
  readonly firstCredentials: FirstCredentials | null
  /** Called once, when the ports are bound or could not be. */
  readonly onAddresses: (addresses: Addresses) => Promise<void>
  /** Called first when the service is to stop. */
  readonly onStopping: () => void
}

const REAP_EVERY_MS = 20

async function bind(app: FastifyInstance, host: string, port: number): Promise<number> {
  await app.listen({ host, port })
  return (app.server.address() as AddressInfo).port
}

/** Requests in flight get the grace time; then their connections are cut. */
async function stopServer(app: FastifyInstance, graceMs: number): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), graceMs)
  // A connection whose last response was in flight when the stop came turns idle only afterwards.
  const reap = setInterval(() => app.server.closeIdleConnections(), REAP_EVERY_MS)
  try {
    await app.close()
  } finally {
    clearTimeout(cut)
    clearInterval(reap)
  }
}

/** The whole service, from binding its ports to letting go of its files. */
export class App {
  readonly #parts: RunningDeps
  #addresses: Addresses
  #closed: Promise<void> | null = null

  constructor(parts: RunningDeps, configured: Addresses) {
    this.#parts = parts
    this.#addresses = configured
  }

  /** Address of the API; the bound one after `listen`. */
  get url(): string {
    return this.#addresses.apiUrl
  }

  /** Address of ingest, the same one unless it has a port of its own. */
  get ingestUrl(): string {
    return this.#addresses.ingestUrl
  }

  /** Address of the port that OTLP over HTTP has for itself; null without one. */
  get otlpHttpUrl(): string | null {
    return this.#addresses.otlpHttpUrl
  }

  /** Address of OTLP over gRPC; null without it. */
  get otlpGrpcUrl(): string | null {
    return this.#addresses.otlpGrpcUrl
  }

  /** What the first start made; null at every later one. */
  get firstCredentials(): FirstCredentials | null {
    return this.#parts.firstCredentials
  }

  /** The servers, for those who walk their routes. */
  get servers(): Servers {
    return this.#parts.servers
  }

  /** Starts to serve; rejects when a port is taken. */
  async listen(): Promise<void> {
    try {
      await this.#bind()
    } finally {
      // Credentials that were made must be shown, whatever became of the ports.
      await this.#parts.onAddresses(this.#addresses)
    }
  }

  /** Finishes what was accepted, writes it down and lets go of everything. The second call does nothing. */
  close(): Promise<void> {
    return (this.#closed ??= this.#close())
  }

  async #bind(): Promise<void> {
    const { config, servers } = this.#parts
    const { host } = config
    const apiUrl = urlOf(host, await bind(servers.api.app, host, config.port))
    const { ingest } = servers
    const ingestUrl = ingest ? urlOf(host, await bind(ingest.app, host, config.ingestPort ?? 0)) : apiUrl
    this.#addresses = { apiUrl, ingestUrl, ...(await this.#bindOtlp()) }
  }

  async #bindOtlp(): Promise<Pick<Addresses, 'otlpHttpUrl' | 'otlpGrpcUrl'>> {
    const { config, servers } = this.#parts
    const { otlp, grpc } = servers
    const listenHttp = (port: number): Promise<number> => bind(otlp!.app, config.host, port)
    const listenGrpc = (port: number): Promise<number> => grpc!.listen(config.host, port)
    return {
      otlpHttpUrl: otlp && (await bindOtlpPort(this.#parts, 'otlpHttpPort', listenHttp)),
      otlpGrpcUrl: grpc && (await bindOtlpPort(this.#parts, 'otlpGrpcPort', listenGrpc))
    }
  }

  async #close(): Promise<void> {
    const { config, stores, metrics, access, ingest, housekeeping, adminChannel, servers, onStopping } = this.#parts
    const { promqlThreads, alerting } = this.#parts
    onStopping()
    const running = [servers.api, servers.ingest, servers.otlp].filter(server => server !== null)
    try {
      const stops = running.map(({ app }) => stopServer(app, config.stopGrace))
      await Promise.all([...stops, servers.grpc?.stop(config.stopGrace)])
      await alerting.stop()
      await promqlThreads.close()
      await adminChannel.close()
      await housekeeping.stop()
      await ingest.close()
      await access.close()
    } finally {
      metrics.close()
      await stores.close()
    }
  }
}
