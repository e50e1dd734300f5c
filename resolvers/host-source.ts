import type { HostType } from '../schema/host.type.js'
import type { HostSummary } from '../src/query/hosts/host-result.js'

/** One host; what its fields show beyond its name is loaded for all hosts of a page together. */
export class HostSource implements HostType {
  readonly #summary: HostSummary

  constructor(summary: HostSummary) {
    this.#summary = summary
  }

  get id(): string {
    return this.#summary.name
  }
  get name(): string {
    return this.#summary.name
  }
  get state(): HostSummary['state'] {
    return this.#summary.state
  }
  get lastSeen(): bigint {
    return this.#summary.lastSeenNs
  }
}
