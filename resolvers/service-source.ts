import type { ServiceType } from '../schema/service.type.js'
import type { WindowBounds } from '../src/query/answer.js'
import type { ServicesAnswer, ServicesQuery, ServiceSummary } from '../src/query/apm/service-answer.js'

/** Parts of a question that fields of services decide. */
export type ServiceParts = WindowBounds & Pick<ServicesQuery, 'apdexMs' | 'buckets' | 'compare'>

/** Services that were listed together: what a field asks for one of them is asked once for all. */
export class ServiceGroup {
  readonly #ask: (parts: ServiceParts) => Promise<ServicesAnswer>
  readonly #answers = new Map<string, Promise<ServicesAnswer>>()

  constructor(ask: (parts: ServiceParts) => Promise<ServicesAnswer>) {
    this.#ask = ask
  }

  answer(parts: ServiceParts): Promise<ServicesAnswer> {
    const key = JSON.stringify([parts.start, parts.end, parts.apdexMs, parts.buckets, parts.compare], (_, value: unknown) =>
      typeof value === 'bigint' ? `${value}n` : value
    )
    const known = this.#answers.get(key)
    if (known) return known
    const asked = this.#ask(parts)
    this.#answers.set(key, asked)
    return asked
  }
}

/** One service of a group. */
export class ServiceSource implements ServiceType {
  readonly #summary: ServiceSummary
  readonly #group: ServiceGroup

  constructor(summary: ServiceSummary, group: ServiceGroup) {
    this.#summary = summary
    this.#group = group
  }

  get name(): string {
    return this.#summary.name
  }
  get language(): string | null {
    return this.#summary.language
  }
  get version(): string | null {
    return this.#summary.version
  }
  get lastSeen(): bigint {
    return this.#summary.lastSeenNs
  }
  get state(): ServiceSummary['state'] {
    return this.#summary.state
  }
  get requests(): ServiceSummary['requests'] {
    return this.#summary.requests
  }

  /** The answer about the group, and this service in it; null when no span of it lies in the window. */
  async within(parts: ServiceParts): Promise<{ readonly answer: ServicesAnswer; readonly service: ServiceSummary | null }> {
    const answer = await this.#group.answer(parts)
    return { answer, service: answer.services.find(({ name }) => name === this.name) ?? null }
  }
}
