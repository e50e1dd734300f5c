import { GatewayError } from '../../../domain/errors.js'
import type { IndexGeneration } from '../../../ports/index-catalog.js'
import type { ClusterLink } from '../client/cluster-link.js'
import type { EngineClient } from '../client/engine-client.js'
import { engineFault, engineToGatewayError } from '../client/engine-errors.js'
import { mappingsOf, settingsOf, type IndexShape, mappingFields, type MappedShape } from '../document/index-template.js'
import { writeAlias } from './index-names.js'
import { createHash } from 'node:crypto'

const DIGEST_CHARS = 16

/** The metadata of an index in the `_meta` of its mappings. */
export interface IndexMeta {
  readonly installation: string
  /** `fieldsDigest` of the version that made the index or last updated it; absent in those of versions without it. */
  readonly fields?: string
}

/** Distinguishes the fields that one version maps from those of another. */
export function fieldsDigest(shape: MappedShape): string {
  const sorted = Object.entries(mappingFields(shape)).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, DIGEST_CHARS)
}

/** The `_meta` of an index with the fields of this version. */
export function metaOf(shape: MappedShape, installation: string): IndexMeta {
  return { installation, fields: fieldsDigest(shape) }
}

/** A cluster makes but a few indices a second: more at once only wait longer for the same. */
const MAX_AT_ONCE = 3
const TIMEOUT_MS = 120_000
const ALREADY_THERE = 'resource_already_exists_exception'

/** What all indices have in common. */
export interface MadeShape extends Pick<IndexShape, 'replicas' | 'refreshSeconds'> {
  /** Written into the indices, to distinguish them from those of others in the same cluster. */
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

  /** `onMade` is called for each index that exists. */
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
