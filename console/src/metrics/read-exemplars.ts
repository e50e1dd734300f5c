import { parseInstantNs, formatInstantNs } from '../format/instant.js'

/** A sample with the trace that it was taken in. */
export interface Exemplar {
  readonly traceId: string
  /** RFC 3339. */
  readonly time: string
  readonly value: string
  /** Labels of its series. */
  readonly series: string
}

interface Sent {
  readonly seriesLabels?: Readonly<Record<string, string>>
  readonly exemplars?: readonly {
    readonly labels?: Readonly<Record<string, string>>
    readonly value?: string
    readonly timestamp?: number
  }[]
}

const TRACE_LABELS = ['trace_id', 'traceID', 'traceId']
const TRACE_ID = /^[0-9a-fA-F]{16,32}$/

function traceIdOf(labels: Readonly<Record<string, string>>): string | null {
  const name = TRACE_LABELS.find(label => Object.hasOwn(labels, label))
  return name !== undefined && TRACE_ID.test(labels[name]!) ? labels[name]! : null
}

/** Exemplars of the body of `query_exemplars` that name a trace, latest first. */
export function readExemplars(body: unknown): readonly Exemplar[] {
  const { data } = (body ?? {}) as { readonly data?: readonly Sent[] }
  const found = (data ?? []).flatMap(({ seriesLabels = {}, exemplars = [] }) =>
    exemplars.flatMap(({ labels = {}, value = '', timestamp = 0 }): Exemplar[] => {
      const traceId = traceIdOf(labels)
      const series = Object.entries(seriesLabels)
        .map(([name, text]) => `${name}=${text}`)
        .join(', ')
      return traceId === null ? [] : [{ traceId, time: new Date(timestamp * 1_000).toISOString(), value, series }]
    })
  )
  return found.toSorted((a, b) => b.time.localeCompare(a.time))
}

/** The times of a window as `query_exemplars` takes them. */
export function exemplarPath(query: string, { from, to }: { readonly from: string; readonly to: string }): string {
  const rfc = (time: string): string => formatInstantNs(parseInstantNs(time)!)
  const parameters = new URLSearchParams({ query, start: rfc(from), end: rfc(to) })
  return `api/v1/prometheus/api/v1/query_exemplars?${parameters}`
}
