import { attemptEach } from '../../../domain/attempt-each.js'
import { isNamespaceId } from '../../../domain/ids.js'
import type { BackgroundJobs, RepeatedJob } from '../../../ports/background-jobs.js'
import type { IndexGeneration } from '../../../ports/index-catalog.js'
import type { NamespaceDirectory } from '../../../ports/namespace-directory.js'
import type { Generations } from '../index/generations.js'
import type { Deletions } from './deletions.js'
import type { IndexCalls } from './index-calls.js'
import type { IndexMappings } from './index-mappings.js'
import type { Roller } from './roller.js'

interface Deps {
  readonly generations: Generations
  readonly namespaces: NamespaceDirectory
  readonly calls: IndexCalls
  readonly roller: Roller
  readonly deletions: Deletions
  readonly mappings: IndexMappings
  readonly installation: string
  readonly jobs: BackgroundJobs
}

/** Name among the background jobs. */
const JOB = 'index_upkeep'

/** The last generation of each owner's kind. */
function newestOf(all: readonly IndexGeneration[]): readonly IndexGeneration[] {
  const newest = new Map<string, IndexGeneration>()
  for (const generation of all) {
    const key = `${generation.kind}/${generation.owner}`
    if (generation.number > (newest.get(key)?.number ?? 0)) newest.set(key, generation)
  }
  return [...newest.values()]
}

/** Periodic work: rolling, finishing deletions, looking for unknown indices. */
export class Upkeep {
  readonly #deps: Deps
  #repeated: RepeatedJob | null = null
  #running: Promise<void> | null = null
  #unknown: readonly string[] = []

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Indices that this installation made and its catalog does not know. */
  get unknown(): readonly string[] {
    return this.#unknown
  }

  start(intervalMs: number): void {
    this.#repeated = this.#deps.jobs.repeat(JOB, intervalMs, () => this.run())
  }

  /** Resolves when nothing of it runs any more. */
  async stop(): Promise<void> {
    await this.#repeated?.stop()
    this.#repeated = null
    // A failure is reported to whoever started the run.
    await this.#running?.catch(() => undefined)
  }

  /** One round; callers of one moment share it. */
  run(): Promise<void> {
    this.#running ??= this.#round().finally(() => (this.#running = null))
    return this.#running
  }

  async #round(): Promise<void> {
    await this.#deps.generations.read()
    // One index that cannot be deleted must not keep all others from rolling over.
    const { mappings } = this.#deps
    await attemptEach([
      () => mappings.update(),
      () => this.#finishDeletions(),
      () => this.#rollDue(),
      () => this.#lookForUnknown()
    ])
  }

  /** Namespaces that were deleted while a gateway still wrote to them, or whose deletion was cut short. */
  async #finishDeletions(): Promise<void> {
    const { generations, namespaces, deletions } = this.#deps
    const isDeleted = ({ owner }: IndexGeneration) =>
      isNamespaceId(owner) && ['deleting', 'deleted'].includes(namespaces.byId(owner)?.state ?? '')
    const left = (await generations.all()).filter(isDeleted)
    if (left.length > 0) await deletions.dropIndices(left)
  }

  async #rollDue(): Promise<void> {
    const { generations, calls, roller } = this.#deps
    const newest = newestOf(await generations.all())
    const sizes = await calls.sizes(newest.map(({ index }) => index))
    for (const generation of newest) {
      const size = sizes.get(generation.index)
      if (size && roller.isDue(generation, size)) await roller.roll(generation)
    }
  }

  async #lookForUnknown(): Promise<void> {
    const { generations, calls } = this.#deps
    const names = await calls.namesOf(this.#deps.installation)
    // Read after the cluster's response: an index is in the catalog before it is created.
    await generations.read()
    const known = new Set((await generations.all()).map(({ index }) => index))
    this.#unknown = names.filter(name => !known.has(name))
  }
}
