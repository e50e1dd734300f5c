import { GatewayError } from '../../../domain/errors.js'
import type { IndexGeneration } from '../../../ports/index-catalog.js'
import type { ClusterLink } from '../client/cluster-link.js'
import type { EngineClient } from '../client/engine-client.js'
import { engineFault, engineToGatewayError } from '../client/engine-errors.js'
import { metaOf } from '../document/index-meta.js'
import { mappingsOf, settingsOf, type IndexShape } from '../document/index-template.js'
import { writeAlias } from './index-names.js'

/** A cluster makes but a few indices a second: more at once only wait longer for the same. */
const MAX_AT_ONCE = 3
const TIMEOUT_MS = 120_000
const ALREADY_THERE = 'resource_already_exists_exception'

/** What all indices have in common. */
export interface MadeShape extends Pick<IndexShape, 'replicas' | 'refreshSeconds'> {
  /** Written into the indices, so that they can be told from those of others in the same cluster. */
  readonly installation: string
}

/** Makes the indices of generations. */
export class IndexMaker {
  readonly #client: EngineClient
  readonly #link: ClusterLink
  readonly #shape: MadeShape
  readonly #onMade: (generation: IndexGeneration) => Promise<void>
  readonly #making = new Map<string, Promise<void>>()
  readonly #waiting: (() => void)[] = []
  #active = 0

  /** `onMade` is told of each index that stands. */
  constructor(client: EngineClient, link: ClusterLink, shape: MadeShape, onMade: (generation: IndexGeneration) => Promise<void>) {
    this.#client = client
    this.#link = link
    this.#shape = shape
    this.#onMade = onMade
  }

  /** Makes the index unless it is there; callers of one index share one attempt. */
  make(generation: IndexGeneration): Promise<void> {
    const { index } = generation
    const making = this.#making.get(index) ?? this.#inSlices(generation).finally(() => this.#making.delete(index))
    this.#making.set(index, making)
    return making
  }

  async #inSlices(generation: IndexGeneration): Promise<void> {
    if (this.#active >= MAX_AT_ONCE) await new Promise<void>(resolve => this.#waiting.push(resolve))
    this.#active++
    try {
      await this.#put(generation)
      await this.#onMade(generation)
    } finally {
      this.#active--
      this.#waiting.shift()?.()
    }
  }

  async #put({ index, kind, search }: IndexGeneration): Promise<void> {
    await this.#link.cluster()
    const body = {
      settings: { index: settingsOf(this.#shape) },
      mappings: { ...mappingsOf({ kind, search }), _meta: metaOf({ kind, search }, this.#shape.installation) },
      aliases: { [writeAlias(index)]: {} }
    }
    const query = { master_timeout: '60s', timeout: '60s' }
    const reply = await this.#client.request({
      method: 'PUT',
      path: `/${index}`,
      query,
      body,
      timeoutMs: TIMEOUT_MS,
      accept: [400]
    })
    if (reply.status < 400) return
    const fault = engineFault(reply.status, reply.body)
    if (fault.type === ALREADY_THERE) return
    if (fault.type === 'validation_exception')
      throw new GatewayError('store_unavailable', 'the search store accepts no more shards', { diagnosis: fault.reason })
    throw engineToGatewayError(fault)
  }
}
