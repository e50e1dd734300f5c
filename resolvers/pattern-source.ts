import type { FindingType } from '../schema/compare.type.js'
import type { LogPatternType } from '../schema/log-pattern.type.js'
import type { DetailSize, ListedPattern, OnePattern, PatternDetail } from '../src/query/patterns/pattern-list.js'

/** A pattern as clients see it; its details are read when one of them is selected. */
export class PatternSource implements LogPatternType {
  readonly #pattern: ListedPattern
  readonly #evidence: string
  readonly #read: OnePattern['detail']
  readonly #details = new Map<string, Promise<PatternDetail>>()

  /** Its variable parts. */
  readonly variables: OnePattern['variables']

  constructor({ pattern, evidence, detail, variables }: OnePattern) {
    this.#pattern = pattern
    this.#evidence = evidence
    this.#read = detail
    this.variables = variables
  }

  get id(): string {
    return this.#pattern.id
  }
  get template(): string {
    return this.#pattern.template
  }
  get count(): number {
    return this.#pattern.count
  }
  get share(): number {
    return this.#pattern.share
  }
  get firstSeen(): bigint | null {
    return this.#pattern.firstSeenNs
  }
  get state(): ListedPattern['state'] {
    return this.#pattern.state
  }
  get muted(): boolean {
    return this.#pattern.muted
  }
  get note(): string | null {
    return this.#pattern.note
  }
  get change(): FindingType | null {
    const { id, template, change } = this.#pattern
    if (change === null) return null
    const { count: otherCount, total: otherTotal, baseCount, baseTotal, effect, q } = change
    const counts = { baseCount, baseTotal, otherCount, otherTotal }
    const evidenceSide = effect > 0 ? 'other' : 'base'
    return { kind: 'pattern', name: template, value: id, ...counts, effect, q, evidence: this.#evidence, evidenceSide }
  }

  /** Fields of one size share a search. */
  detail(size: DetailSize = {}): Promise<PatternDetail> {
    const key = `${size.buckets ?? ''} ${size.samples ?? ''}`
    const known = this.#details.get(key)
    const detail = known ?? this.#read(size)
    if (known === undefined) this.#details.set(key, detail)
    return detail
  }
}
