import { COMPOSE_SERVICE, type Container } from '../docker/docker-api.js'
import { LIMITS } from '../limits.js'
import { containerRuntimeOf, shortContainerId } from '../listeners/cgroup.js'
import { type ContainerFiles, type ContainerGroup, findContainers, isUnified } from '../metrics/containers.js'
import { oneLine } from '../one-line.js'

/** A container that runs on this machine, as the agent reports it. */
export interface HostContainer {
  /** First digits of its id. */
  readonly id: string
  /** That of the runtime, else the id. */
  readonly name: string
  readonly image: string | null
  readonly runtime: string | null
  readonly service: string | null
  /** As the runtime names it; null when unknown. */
  readonly state: string | null
}

type Named = Pick<Container, 'id' | 'name' | 'image' | 'labels' | 'state'>

export interface ContainerListerOptions {
  readonly files: ContainerFiles
  /** What the runtime states of its containers. Rejects without one, or without the right to call it. */
  readonly named: () => Promise<readonly Named[]>
  /** The runtime is called though no cgroup of a container is visible: the agent may be in a container. */
  readonly isNamedAlways: boolean
  readonly onFault: (event: string, fields: Readonly<Record<string, unknown>>) => void
}

/** As the service limits them. */
const MOST_CHARS = { name: 255, image: 512, service: 255, state: 64 } as const
/** Collections for which the latest list of the runtime counts while it does not respond. */
const MOST_FAILURES = 3
/** States of containers that have processes. */
const RUNS = new Set(['running', 'paused', 'restarting'])
const DOCKER = 'docker'

function textOf(text: string | undefined, most: number): string | null {
  return text === undefined || text === '' ? null : oneLine(text.slice(0, most))
}

function order(a: HostContainer, b: HostContainer): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1
}

/** As many of the first containers as their JSON has room for. */
function withinBytes(containers: readonly HostContainer[], most: number): readonly HostContainer[] {
  let bytes = '[]'.length
  const end = containers.findIndex(container => (bytes += Buffer.byteLength(JSON.stringify(container)) + 1) > most)
  return end < 0 ? containers : containers.slice(0, end)
}

/** Lists the containers that run on this machine: those of its cgroups, and what the runtime states of them and of others. */
export class ContainerLister {
  readonly #options: ContainerListerOptions
  #named: ReadonlyMap<string, Named> = new Map()
  /** Ids of containers that run by the latest list of the runtime, and had no visible cgroup then. */
  #hidden: readonly string[] = []
  #failures = 0

  constructor(options: ContainerListerOptions) {
    this.#options = options
  }

  /** By name; at most `LIMITS.reportedContainers`. */
  async collect(): Promise<readonly HostContainer[]> {
    const { files, isNamedAlways, onFault } = this.#options
    const limit = LIMITS.reportedContainers
    const { groups, isCut } = findContainers(files, { containers: limit, folders: LIMITS.cgroupFolders })
    const ids = new Set(groups.map(({ id }) => id))
    if (groups.length > 0 || isNamedAlways) await this.#nameAll(ids)
    else this.#hidden = []
    const unified = isUnified(files)
    const others = this.#hidden.filter(id => !ids.has(id))
    const all = [
      ...groups.map(group => this.#container(group.id, containerRuntimeOf(group.path), unified ? this.#stateOf(group) : null)),
      ...others.map(id => this.#container(id, DOCKER, null))
    ]
    const listed = withinBytes(all.sort(order).slice(0, limit), LIMITS.reportedContainerBytes)
    if (isCut || listed.length < all.length) onFault('too many containers', { limit, cgroups: LIMITS.cgroupFolders })
    return listed
  }

  async #nameAll(visible: ReadonlySet<string>): Promise<void> {
    // While the runtime does not respond, names stay; which hidden containers run is known for a few collections only.
    const found = await this.#options.named().catch(() => null)
    if (found === null) {
      this.#failures++
      if (this.#failures > MOST_FAILURES) this.#hidden = []
      return
    }
    this.#failures = 0
    this.#named = new Map(found.map(container => [container.id, container]))
    this.#hidden = found.filter(({ id, state }) => !visible.has(id) && RUNS.has(state)).map(({ id }) => id)
  }

  /** Of version 2 of cgroups. */
  #stateOf({ path }: ContainerGroup): string | null {
    const events = this.#options.files.read(`/sys/fs/cgroup${path}/cgroup.events`)
    if (/^frozen 1$/m.test(events)) return 'paused'
    return /^populated 1$/m.test(events) ? 'running' : null
  }

  #container(id: string, runtime: string | null, state: string | null): HostContainer {
    const named = this.#named.get(id)
    const short = shortContainerId(id)
    return {
      id: short,
      name: textOf(named?.name, MOST_CHARS.name) ?? short,
      image: textOf(named?.image, MOST_CHARS.image),
      runtime: runtime ?? (named === undefined ? null : DOCKER),
      service: textOf(named?.labels[COMPOSE_SERVICE], MOST_CHARS.service),
      state: textOf(named?.state, MOST_CHARS.state) ?? state
    }
  }
}
