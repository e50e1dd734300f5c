import type { ExceptionGroupType } from '../schema/exception.type.js'
import type { Namespace } from '../src/domain/namespace.js'
import type { WindowBounds } from '../src/query/answer.js'
import type { ErrorEventsAnswer, ErrorEventsQuery, ErrorGroupsQuery, ErrorGroupSummary } from '../src/query/error-answer.js'
import type { HistogramAnswer } from '../src/query/log-query.js'
import type { Context } from './context.js'
import { OneTurn } from './one-turn.js'

/** As far back as data may reach: the use case cuts it at the retention. */
export const EVER: WindowBounds = { start: '1970-01-01T00:00:00Z' }

/** What its fields want of a group's single errors: one request for the newest of them and their count over time. */
export type EventParts = Pick<ErrorEventsQuery, 'limit' | 'histogram'>

interface EventWants {
  limit: number
  buckets: number | undefined
}

/** One group of errors. */
export class ExceptionSource implements ExceptionGroupType {
  readonly #group: ErrorGroupSummary
  readonly #ask: (parts: EventParts) => Promise<ErrorEventsAnswer>
  readonly #turn: OneTurn<EventWants, ErrorEventsAnswer>

  constructor(group: ErrorGroupSummary, ask: (parts: EventParts) => Promise<ErrorEventsAnswer>) {
    this.#group = group
    this.#ask = ask
    this.#turn = new OneTurn(
      (): EventWants => ({ limit: 0, buckets: undefined }),
      async ({ limit, buckets }) => ask({ limit, histogram: buckets === undefined ? undefined : { buckets } })
    )
  }

  get id(): string {
    return this.#group.fingerprint
  }
  get service(): string {
    return this.#group.service
  }
  get type(): string {
    return this.#group.type
  }
  get message(): string {
    return this.#group.message
  }
  get count(): number {
    return this.#group.count
  }
  get firstSeen(): bigint {
    return this.#group.firstSeenNs
  }
  get lastSeen(): bigint {
    return this.#group.lastSeenNs
  }
  get state(): ErrorGroupSummary['state'] {
    return this.#group.state
  }

  /** The newest errors of the group. */
  async newest(limit: number): Promise<ErrorEventsAnswer['rows']> {
    const { rows } = await this.#turn.want(wants => (wants.limit = Math.max(wants.limit, limit)))
    return rows.slice(0, limit)
  }

  /** Counts over time. A second number of buckets under another alias is a request of its own. */
  async histogram(buckets: number): Promise<HistogramAnswer> {
    let isShared = true
    const answer = await this.#turn.want(wants => {
      wants.buckets ??= buckets
      isShared = wants.buckets === buckets
    })
    return (isShared ? answer : await this.#ask({ limit: 0, histogram: { buckets } })).histogram!
  }
}

/** Groups of errors in a window, each ready to ask for its single errors there. */
export async function exceptionGroups(
  namespace: Namespace,
  window: WindowBounds,
  query: Pick<ErrorGroupsQuery, 'conditions' | 'states' | 'limit'>,
  { use, signal }: Pick<Context, 'use' | 'signal'>
): Promise<ExceptionSource[]> {
  const { groups } = await use.errorReport.groups(namespace, { ...window, ...query }, signal)
  return groups.map(group => {
    const conditions = { fingerprint: group.fingerprint }
    return new ExceptionSource(group, async parts =>
      use.errorReport.events(namespace, { ...window, ...parts, conditions }, signal)
    )
  })
}
