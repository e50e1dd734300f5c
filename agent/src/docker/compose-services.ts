import { shortContainerId } from '../listeners/cgroup.js'
import { COMPOSE_SERVICE, type Container } from './docker-api.js'

/** Lists containers. Rejects without a daemon, or without the right to call it. */
export type NamedContainers = () => Promise<readonly Pick<Container, 'id' | 'labels'>[]>

/** The services of Compose that containers run. They stay while the daemon does not respond. */
export class ComposeServices {
  readonly #named: NamedContainers
  #services: ReadonlyMap<string, string> = new Map()

  constructor(named: NamedContainers) {
    this.#named = named
  }

  /** By the first digits of the id of a container. */
  async read(): Promise<ReadonlyMap<string, string>> {
    // What is known stays while the runtime does not respond.
    const found = await this.#named().catch(() => null)
    if (found === null) return this.#services
    const services = found.flatMap(({ id, labels }): [string, string][] => {
      const service = labels[COMPOSE_SERVICE]
      return service === undefined || service === '' ? [] : [[shortContainerId(id), service]]
    })
    this.#services = new Map(services)
    return this.#services
  }
}
