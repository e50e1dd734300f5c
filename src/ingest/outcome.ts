import type { ErrorItem } from '../domain/errors.js'
import { GatewayError } from '../domain/errors.js'
import type { RetainedSignal } from '../domain/namespace.js'
import { OVERFLOW_LABEL } from '../domain/overflow.js'
import type { AppendResult } from '../ports/append.js'
import type { RefusedItem } from './item-check.js'
import type { IngestReply } from './ingest-request.js'
import type { MetricNotes } from './metric-notes.js'
import type { ResolvedNamespace } from './resolve-namespace.js'

/** Errors that a response lists; the counts by code are always complete. */
const MAX_ERRORS = 100

/** Members of a reply about refused items. */
type RefusalMembers = Pick<IngestReply, 'errors' | 'rejected_by_code' | 'errors_truncated'>

/** The member of a reply about points over the series limit; empty without such points. */
export function overflowReply({ overflow }: AppendResult): Pick<IngestReply, 'overflow'> {
  if (overflow === undefined) return {}
  const { points, maxSeries, offender } = overflow
  const fault = offender === null ? '' : `; the label ${JSON.stringify(offender.label)} has the most values, ${offender.values}`
  const detail =
    `the namespace has reached its limit of ${maxSeries} active series${fault}; ` +
    `${points} points of further series were added to series with ${OVERFLOW_LABEL}="true"`
  return { overflow: { points, max_series: maxSeries, label: offender?.label ?? null, values: offender?.values ?? 0, detail } }
}

/** How an admin makes the namespace take older records. By its name, which the response has anyway: RUM keys are public. */
function longerRetention({ namespace }: ResolvedNamespace, signal: RetainedSignal): string {
  return `PATCH /api/v1/namespaces/${namespace.name} {"retention":{"${signal}":"forever"}}`
}

/** Counts the refused items of a request and keeps the first of them. */
export class Refusals {
  readonly #errors: ErrorItem[] = []
  readonly #byCode = new Map<string, number>()
  count = 0

  add(item: RefusedItem): void {
    this.count++
    this.#byCode.set(item.code, (this.#byCode.get(item.code) ?? 0) + 1)
    if (this.#errors.length < MAX_ERRORS) this.#errors.push(item)
  }

  /** Refused items by error code. */
  get byCode(): ReadonlyMap<string, number> {
    return this.#byCode
  }

  /** `errors`, `rejected_by_code` and `errors_truncated`; nothing when all items are good. */
  members(): RefusalMembers {
    if (this.count === 0) return {}
    return {
      errors: this.#errors,
      rejected_by_code: Object.fromEntries(this.#byCode),
      errors_truncated: this.count > this.#errors.length
    }
  }

  /** The response when no item is acceptable. `signal` is the one whose retention holds for them. */
  asError(target: ResolvedNamespace, signal: RetainedSignal): GatewayError {
    const [first] = this.#errors
    const detail =
      this.count === 1 ? first!.detail : `none of the ${this.count} records is valid; the first error: ${first!.detail}`
    return new GatewayError(first!.code, detail, {
      field: first!.field,
      errors: this.#errors,
      suggestions: first!.code === 'timestamp_too_old' ? [longerRetention(target, signal)] : [],
      members: {
        accepted: 0,
        rejected: this.count,
        rejected_by_code: Object.fromEntries(this.#byCode),
        errors_truncated: this.count > this.#errors.length,
        namespace: target.namespace.name,
        namespace_source: target.source
      }
    })
  }
}

/** The members of the reply about histograms, exemplars, and values and members left out, if there were any. */
export function noted({
  exemplars,
  refusedExemplars,
  histograms,
  ignoredValues,
  ignoredMembers
}: MetricNotes): Partial<IngestReply> {
  const hasExemplars = exemplars.length + refusedExemplars > 0
  return {
    ...(histograms.size > 0 && { histograms: histograms.size }),
    ...(hasExemplars && { exemplars: { accepted: exemplars.length, rejected: refusedExemplars } }),
    ...(ignoredValues > 0 && { ignored_values: ignoredValues }),
    ...(ignoredMembers.size > 0 && { ignored_members: [...ignoredMembers] })
  }
}

/** The reply once all records that it counts are stored. */
export function nothingWaits({ spooled: _spooled, ...reply }: IngestReply): IngestReply {
  return reply
}

/** The members that every success body has. */
export function summary(accepted: number, refusals: Refusals, target: ResolvedNamespace): IngestReply {
  return {
    status: refusals.count === 0 ? 'ok' : 'partial',
    accepted,
    rejected: refusals.count,
    ...refusals.members(),
    namespace: target.namespace.name,
    namespace_source: target.source
  }
}
