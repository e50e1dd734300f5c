import { LIMITS } from '../limits.js'
import { type ContainerFiles, type ContainerGroup, containerPoints, findContainers, isUnified } from './containers.js'
import type { MetricPoint } from './metric-point.js'

/** Between two searches for containers. */
const FIND_EVERY_MS = 60_000

/** Collects the metrics of containers from their cgroups. They are searched for once a minute. */
export class ContainerCollector {
  readonly #files: ContainerFiles
  readonly #elapsedMs: () => number
  readonly #onCut: () => void
  #groups: readonly ContainerGroup[] = []
  #foundMs = Number.NEGATIVE_INFINITY

  /** @param onCut called when some containers are left out. */
  constructor(files: ContainerFiles, elapsedMs: () => number, onCut: () => void) {
    this.#files = files
    this.#elapsedMs = elapsedMs
    this.#onCut = onCut
  }

  collect(): readonly MetricPoint[] {
    const nowMs = this.#elapsedMs()
    if (nowMs - this.#foundMs >= FIND_EVERY_MS) {
      const { groups, isCut } = findContainers(this.#files, { containers: LIMITS.containers, folders: LIMITS.cgroupFolders })
      if (isCut) this.#onCut()
      this.#groups = groups
      this.#foundMs = nowMs
    }
    if (this.#groups.length === 0) return []
    const unified = isUnified(this.#files)
    return this.#groups.flatMap(group => containerPoints(this.#files, group, unified))
  }
}
