import type { Clock } from '../../../ports/clock.js'
import type { IndexGeneration } from '../../../ports/index-catalog.js'
import type { EngineClient } from '../client/engine-client.js'
import { isRetired, type Generations } from '../index/generations.js'
import type { Remarks } from './engine-health.js'
import { OURS_PATTERN } from './index-calls.js'

/** Balancers check health often; clusters have thousands of indices. */
const FRESH_MS = 2_000
const TIMEOUT_MS = 5_000
/** How long health reports an index that was deleted and created again. */
const LOSS_REPORTED_MS = 7 * 86_400_000
const MAX_NAMED = 5
const WRITE_BLOCKS = ['index.blocks.write', 'index.blocks.read_only']
const FLOOD_BLOCK = 'index.blocks.read_only_allow_delete'

interface InspectorDeps {
  readonly client: EngineClient
  readonly generations: Generations
  readonly clock: Clock
}

type Settings = Readonly<Record<string, { readonly settings?: Readonly<Record<string, string>> }>>

/** Compares the catalog with the indices of the cluster: those that are gone, and those that take no writes. */
export class IndexInspector {
  readonly #parts: InspectorDeps
  #remarks: Promise<Remarks> | null = null
  #atMs = -Infinity

  constructor(parts: InspectorDeps) {
    this.#parts = parts
  }

  /** What is wrong with our indices; notes those that are gone. Callers within two seconds share one look. */
  remarks(): Promise<Remarks> {
    const nowMs = this.#parts.clock.monotonicMs()
    if (this.#remarks && nowMs - this.#atMs < FRESH_MS) return this.#remarks
    this.#atMs = nowMs
    const looking = this.#look()
    // The failure reaches every caller of this look; the next one looks again.
    looking.catch(() => {
      if (this.#remarks === looking) this.#remarks = null
    })
    return (this.#remarks = looking)
  }

  async #look(): Promise<Remarks> {
    const [all, present, settings] = await Promise.all([this.#parts.generations.all(), this.#present(), this.#settings()])
    const nowMs = this.#parts.clock.nowMs()
    await this.#note(all, present)
    const isGone = ({ index, madeAtMs }: IndexGeneration): boolean => madeAtMs !== null && !present.has(index)
    const wasLost = ({ lostAtMs }: IndexGeneration): boolean => lostAtMs !== null && nowMs - lostAtMs < LOSS_REPORTED_MS
    const blockedBy = (blocks: readonly string[]): IndexGeneration[] =>
      all.filter(each => !isRetired(each, all, nowMs) && blocks.some(block => settings[each.index]?.settings?.[block] === 'true'))
    return remarksOf([
      [all.filter(each => isGone(each) || wasLost(each)), 'deleted outside of the service; its records are lost'],
      [blockedBy(WRITE_BLOCKS), 'read-only; its records are spooled'],
      [blockedBy([FLOOD_BLOCK]), 'read-only because a disk is nearly full; its records are spooled']
    ])
  }

  async #note(all: readonly IndexGeneration[], present: ReadonlySet<string>): Promise<void> {
    const { generations } = this.#parts
    for (const generation of all) {
      if (present.has(generation.index) && generation.madeAtMs === null) await generations.noteMade(generation)
    }
    const gone = all.filter(({ index, madeAtMs, lostAtMs }) => madeAtMs !== null && lostAtMs === null && !present.has(index))
    if (gone.length === 0) return
    // What another gateway has deleted on purpose is no longer in the catalog.
    await generations.read()
    for (const { index } of gone) {
      const generation = generations.byIndex(index)
      if (generation) await generations.noteLost(generation)
    }
  }

  async #present(): Promise<ReadonlySet<string>> {
    const query = { level: 'indices', expand_wildcards: 'open,closed', filter_path: 'indices.*.status' }
    const path = `/_cluster/health/${OURS_PATTERN}`
    const { body } = await this.#parts.client.request({ method: 'GET', path, query, timeoutMs: TIMEOUT_MS, accept: [408] })
    return new Set(Object.keys((body as { indices?: object }).indices ?? {}))
  }

  async #settings(): Promise<Settings> {
    const query = { flat_settings: true, expand_wildcards: 'open', allow_no_indices: true }
    const path = `/${OURS_PATTERN}/_settings/index.blocks.*`
    const { body } = await this.#parts.client.request({ method: 'GET', path, query, timeoutMs: TIMEOUT_MS, accept: [404] })
    return body as Settings
  }
}

function remarksOf(groups: readonly (readonly [found: readonly IndexGeneration[], what: string])[]): Remarks {
  const reported = groups.filter(([found]) => found.length > 0)
  const sentence = ([found, what]: (typeof reported)[number]): string => `${found.length} of our indices: ${what}`
  const named = ([found]: (typeof reported)[number]): string =>
    found
      .slice(0, MAX_NAMED)
      .map(({ index }) => index)
      .join(', ')
  return { sentences: reported.map(sentence), diagnoses: reported.map(group => `${sentence(group)} (${named(group)})`) }
}
