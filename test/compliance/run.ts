import type { PrometheusReply } from './results.js'
import { COMPLIANCE_RANGE } from './cases.js'

const { start, end, step } = COMPLIANCE_RANGE

/** The times of a response over the range, Unix seconds. */
export const TIMES: readonly number[] = Array.from({ length: (end - start) / step + 1 }, (_, i) => start + i * step)

/** Queries an API of Prometheus, whose base ends before `/api/v1`, over the range or at its end. */
export async function runCompliance(
  base: string,
  query: string,
  kind: 'range' | 'instant',
  headers: Readonly<Record<string, string>> = {}
): Promise<PrometheusReply> {
  const times = kind === 'range' ? { start, end, step } : { time: end }
  const params = new URLSearchParams(
    Object.entries({ query, ...times }).map(([name, value]): [string, string] => [name, String(value)])
  )
  const endpoint = kind === 'range' ? 'query_range' : 'query'
  const reply = await fetch(`${base}/api/v1/${endpoint}?${params.toString()}`, { headers })
  return (await reply.json()) as PrometheusReply
}
