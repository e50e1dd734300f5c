import { groupedBy } from '../../../domain/grouped-by.js'
import type { IndexGeneration } from '../../../ports/index-catalog.js'
import type { EngineClient } from '../client/engine-client.js'
import { fieldsDigest, type IndexMeta, metaOf } from '../index/index-maker.js'
import { mappingFields, type Mapping } from '../document/index-template.js'
import type { Generations } from '../index/generations.js'
import { groupsOf, LENIENT, OURS_PATTERN } from './index-calls.js'
import type { Roller } from './roller.js'

const TIMEOUT_MS = 60_000

/** Mappings of fields by their full names. */
type Fields = ReadonlyMap<string, Mapping>

interface Properties {
  readonly [name: string]: Mapping & { readonly properties?: Properties }
}

type MetaReply = Readonly<Record<string, { readonly mappings: { readonly _meta?: Partial<IndexMeta> } }>>
type MappingReply = Readonly<Record<string, { readonly mappings: { readonly properties?: Properties } }>>

/** A generation whose index lacks fields or maps them otherwise. */
interface StaleIndex {
  readonly generation: IndexGeneration
  readonly missing: Fields
  readonly differs: boolean
}

/** What bringing mappings up to date works with. */
export interface IndexMappingsDeps {
  readonly client: EngineClient
  readonly generations: Generations
  readonly installation: string
  readonly roller: Roller
}

/**
 * Gives the indices of earlier versions the fields of this one. A field that an index does not map is stored there and never
 * found, so nothing is written before that.
 */
export class IndexMappings {
  readonly #deps: IndexMappingsDeps
  #ensuring: Promise<void> | null = null

  constructor(deps: IndexMappingsDeps) {
    this.#deps = deps
  }

  /** Resolves once all indices were brought up to date in the life of this object; tries again after a failure. */
  ensure(): Promise<void> {
    this.#ensuring ??= this.update().catch((error: unknown) => {
      this.#ensuring = null
      throw error
    })
    return this.#ensuring
  }

  /** Looks at every index; gateways of an earlier version may have made some since. */
  async update(): Promise<void> {
    const all = await this.#deps.generations.all()
    if (all.length === 0) return
    const digests = await this.#digests()
    const old = all.filter(({ index, kind, search }) => {
      const known = digests.get(index)
      return known !== undefined && known !== fieldsDigest({ kind, search })
    })
    for (const group of groupedBy(old, ({ kind, search }) => `${kind} ${search}`).values()) await this.#updateAlike(group)
  }

  /** Digests of the indices that are there, by name; empty for those of versions that wrote none. */
  async #digests(): Promise<ReadonlyMap<string, string>> {
    const { client, installation } = this.#deps
    const query = { expand_wildcards: 'open', filter_path: '*.mappings._meta' }
    const { body } = await client.request({ method: 'GET', path: `/${OURS_PATTERN}/_mapping`, query, timeoutMs: TIMEOUT_MS })
    const own = Object.entries(body as MetaReply).filter(([, { mappings }]) => mappings._meta?.installation === installation)
    return new Map(own.map(([index, { mappings }]) => [index, mappings._meta?.fields ?? '']))
  }

  /** Indices of one kind and search: the same fields belong into all of them. */
  async #updateAlike(generations: readonly IndexGeneration[]): Promise<void> {
    const stale = await this.#compare(generations)
    for (const each of stale) if (each.differs) await this.#rollIfNewest(each.generation)
    for (const alike of groupedBy(stale, ({ missing }) => [...missing.keys()].join(' ')).values())
      await this.#put(
        alike.map(({ generation }) => generation),
        alike[0]!.missing
      )
  }

  async #compare(generations: readonly IndexGeneration[]): Promise<readonly StaleIndex[]> {
    const requested = new Map(Object.entries(mappingFields(generations[0]!)))
    const stale: StaleIndex[] = []
    for (const names of groupsOf(generations.map(({ index }) => index))) {
      const path = `/${names.join(',')}/_mapping`
      const { body } = await this.#deps.client.request({
        method: 'GET',
        path,
        query: LENIENT,
        timeoutMs: TIMEOUT_MS,
        accept: [404]
      })
      for (const [index, { mappings }] of Object.entries(body as MappingReply)) {
        const generation = generations.find(each => each.index === index)
        if (generation !== undefined) stale.push({ generation, ...compared(requested, flattened(mappings?.properties ?? {})) })
      }
    }
    return stale
  }

  /** A mapped field cannot change its type: a new generation begins, with the fields of this version. */
  async #rollIfNewest(generation: IndexGeneration): Promise<void> {
    const current = await this.#deps.generations.of(generation.owner, generation.kind)
    if (current.at(-1)?.index === generation.index) await this.#deps.roller.roll(generation)
  }

  async #put(generations: readonly IndexGeneration[], missing: Fields): Promise<void> {
    const { client, installation } = this.#deps
    const body = { properties: Object.fromEntries(missing), _meta: metaOf(generations[0]!, installation) }
    for (const names of groupsOf(generations.map(({ index }) => index))) {
      const path = `/${names.join(',')}/_mapping`
      await client.request({ method: 'PUT', path, query: LENIENT, body, timeoutMs: TIMEOUT_MS, accept: [404] })
    }
  }
}

/** An engine gives dotted names back as objects within each other. */
function flattened(properties: Properties, prefix = ''): Fields {
  const fields = new Map<string, Mapping>()
  for (const [name, mapping] of Object.entries(properties)) {
    if (mapping.properties === undefined) fields.set(prefix + name, mapping)
    else for (const [inner, each] of flattened(mapping.properties, `${prefix}${name}.`)) fields.set(inner, each)
  }
  return fields
}

function compared(requested: Fields, found: Fields): Pick<StaleIndex, 'missing' | 'differs'> {
  const missing = new Map([...requested].filter(([name]) => !found.has(name)))
  const differs = [...requested].some(([name, { type }]) => found.has(name) && found.get(name)!['type'] !== type)
  return { missing, differs }
}
