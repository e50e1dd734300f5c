import type { ExceptionGroupType } from '../schema/exception.type.js'
import type { Namespace } from '../src/domain/namespace.js'
import type { WindowBounds } from '../src/query/result.js'
import type {
  ErrorEventsResult,
  ErrorEventsQuery,
  ErrorGroupsQuery,
  ErrorGroupsResult,
  ErrorGroupSummary
} from '../src/query/error-result.js'
import type { HistogramCounts } from '../src/query/log-query.js'
import type { Context } from './context.js'
import { FieldBatch } from './field-batch.js'

/** Groups that a list is cut from: all that the use case looks at. */
const MAX_GROUPS = 1_000

/** As far back as data may reach: the use case cuts it at the retention. */
export const EVER: WindowBounds = { start: '1970-01-01T00:00:00Z' }

/** What its fields want of a group's single errors: one request for the newest of them and their count over time. */
export type EventParts = Pick<ErrorEventsQuery, 'limit' | 'histogram'>

interface EventSelection {
  limit: number
  buckets: number | undefined
}

/** One group of errors. */
export class ExceptionSource implements ExceptionGroupType {
  readonly #group: ErrorGroupSummary
  readonly #load: (parts: EventParts) => Promise<ErrorEventsResult>
  readonly #batch: FieldBatch<EventSelection, ErrorEventsResult>

  constructor(group: ErrorGroupSummary, load: (parts: EventParts) => Promise<ErrorEventsResult>) {
    this.#group = group
    this.#load = load
    this.#batch = new FieldBatch(
      (): EventSelection => ({ limit: 0, buckets: undefined }),
      async ({ limit, buckets }) => load({ limit, histogram: buckets === undefined ? undefined : { buckets } })
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
  async newest(limit: number): Promise<ErrorEventsResult['rows']> {
    const { rows } = await this.#batch.select(selection => (selection.limit = Math.max(selection.limit, limit)))
    return rows.slice(0, limit)
  }

  /** Counts over time. A second number of buckets under another alias is a request of its own. */
  async histogram(buckets: number): Promise<HistogramCounts> {
    let isShared = true
    const result = await this.#batch.select(selection => {
      selection.buckets ??= buckets
      isShared = selection.buckets === buckets
    })
    return (isShared ? result : await this.#load({ limit: 0, histogram: { buckets } })).histogram!
  }
}

/** All groups of a window that the use case examines, with the facts of its result. */
export async function allExceptionGroups(
  namespace: Namespace,
  window: WindowBounds,
  query: Pick<ErrorGroupsQuery, 'conditions' | 'states'>,
  context: Pick<Context, 'use' | 'signal'>
): Promise<{ readonly sources: readonly ExceptionSource[]; readonly result: ErrorGroupsResult }> {
  const { use, signal } = context
  const result = await use.errorReport.groups(namespace, { ...window, ...query, limit: MAX_GROUPS }, signal)
  return { sources: toSources(namespace, window, result, context), result }
}

/** Groups of errors in a window, each ready to load its single errors there. */
export async function exceptionGroups(
  namespace: Namespace,
  window: WindowBounds,
  query: Pick<ErrorGroupsQuery, 'conditions' | 'states' | 'limit'>,
  context: Pick<Context, 'use' | 'signal'>
): Promise<ExceptionSource[]> {
  const result = await context.use.errorReport.groups(namespace, { ...window, ...query }, context.signal)
  return toSources(namespace, window, result, context)
}

function toSources(
  namespace: Namespace,
  window: WindowBounds,
  { groups }: Pick<ErrorGroupsResult, 'groups'>,
  { use, signal }: Pick<Context, 'use' | 'signal'>
): ExceptionSource[] {
  return groups.map(group => {
    const conditions = { fingerprint: group.fingerprint }
    return new ExceptionSource(group, async parts =>
      use.errorReport.events(namespace, { ...window, ...parts, conditions }, signal)
    )
  })
}
