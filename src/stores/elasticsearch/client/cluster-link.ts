import { isGatewayError } from '../../../domain/errors.js'
import type { Logger } from '../../../ports/logger.js'
import type { IndexShape } from '../document/index-template.js'
import { connect, type Cluster } from './cluster.js'
import type { EngineClient } from './engine-client.js'

/** Connects once, by whoever needs it first, and again after a failure: a cluster that is down must not keep the gateway from starting. */
export class ClusterLink {
  readonly #client: EngineClient
  readonly #shape: Omit<IndexShape, 'kind' | 'search' | 'flavour'>
  readonly #logger: Logger
  #connecting: Promise<Cluster> | null = null

  constructor(client: EngineClient, shape: Omit<IndexShape, 'kind' | 'search' | 'flavour'>, logger: Logger) {
    this.#client = client
    this.#shape = shape
    this.#logger = logger
  }

  /** What the cluster is. Throws `store_unavailable` while it cannot be reached, `unsupported_by_store` if it cannot serve. */
  cluster(): Promise<Cluster> {
    this.#connecting ??= this.#connect()
    return this.#connecting
  }

  /** Tries now; only a cluster that can never serve is an error. */
  async tryConnect(): Promise<void> {
    try {
      await this.cluster()
    } catch (error) {
      if (isGatewayError(error, 'unsupported_by_store')) throw error
      this.#logger.warn({ err: error }, 'search cluster is unreachable; the next call reconnects')
    }
  }

  async #connect(): Promise<Cluster> {
    try {
      return await connect(this.#client, this.#shape)
    } catch (error) {
      this.#connecting = null
      throw error
    }
  }
}
