/** Values of a series at the steps requested, as Prometheus writes them; null where it has none. */
export type StepValues = readonly (string | null)[]

/** A successful response by the series' labels, which are sorted JSON; `null` where the query is refused. */
export type ComplianceResult = Readonly<Record<string, StepValues>> | null

type Labels = Readonly<Record<string, string>>
type Point = readonly [timeS: number, value: string]

/** `data` of a response of `query` or `query_range`. */
export type PrometheusData =
  | { readonly resultType: 'scalar'; readonly result: Point }
  | { readonly resultType: 'string'; readonly result: Point }
  | { readonly resultType: 'vector'; readonly result: readonly { readonly metric: Labels; readonly value: Point }[] }
  | { readonly resultType: 'matrix'; readonly result: readonly { readonly metric: Labels; readonly values: readonly Point[] }[] }

/** The body of a response. */
export type PrometheusReply =
  | { readonly status: 'success'; readonly data: PrometheusData }
  | { readonly status: 'error'; readonly error: string }

const RELATIVE = 1e-5

function keyOf(labels: Labels): string {
  return JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function seriesOf(data: PrometheusData): readonly (readonly [key: string, points: readonly Point[]])[] {
  switch (data.resultType) {
    case 'matrix':
      return data.result.map(({ metric, values }) => [keyOf(metric), values])
    case 'vector':
      return data.result.map(({ metric, value }) => [keyOf(metric), [value]])
    default:
      return [[keyOf({}), [data.result]]]
  }
}

/** A response over these times, Unix seconds. */
export function resultOf(reply: PrometheusReply, times: readonly number[]): ComplianceResult {
  if (reply.status === 'error') return null
  const lines = seriesOf(reply.data).map(([key, points]) => {
    const values = new Map(points)
    return [key, times.map(time => values.get(time) ?? null)] as const
  })
  return Object.fromEntries(lines)
}

/** As the suite compares: 1e-5 of the smaller one. */
function isAlike(given: string, recorded: string): boolean {
  if (given === recorded) return true
  const [a, b] = [Number(given), Number(recorded)]
  return Math.abs(a - b) <= RELATIVE * Math.min(Math.abs(a), Math.abs(b))
}

/** The result with the recorded digits wherever the suite takes the two for the same number. */
export function asRecorded(given: ComplianceResult, recorded: ComplianceResult): ComplianceResult {
  if (given === null || recorded === null) return given
  const lines = Object.entries(given).map(([key, values]) => {
    const expected = recorded[key]
    const digits = values.map((value, i) => {
      const known = expected?.[i] ?? null
      return value !== null && known !== null && isAlike(value, known) ? known : value
    })
    return [key, digits] as const
  })
  return Object.fromEntries(lines)
}

/** The part of a response at its last step. */
export function atLastStep(response: ComplianceResult): ComplianceResult {
  if (response === null) return null
  const lines = Object.entries(response).map(([key, values]) => [key, values.slice(-1)] as const)
  return Object.fromEntries(lines.filter(([, [value]]) => value !== null))
}
