import type { Session } from '../../bench/service/session.js'
import type { SentRequest } from './acked-load.js'
import { messageOf } from './acked-load.js'

/** How often each log message, or name of a span, and how many points of each request are found in the service. */
export interface Found {
  readonly messages: ReadonlyMap<string, number>
  readonly points: ReadonlyMap<string, number>
}

/** Sentences on everything that breaks the promise: acknowledged once and only once, the rest whole or not at all. */
export function findViolations(requests: readonly SentRequest[], found: Found): string[] {
  const violations: string[] = []
  for (const request of requests) {
    const counts = countsOf(request, found)
    const stored = counts.filter(count => count > 0).length
    const doubled = counts.filter(count => count > 1).length
    if (doubled > 0) violations.push(`${request.id}: ${doubled} of ${request.items} stored more than once`)
    if (request.isAcked && stored < request.items) {
      violations.push(`${request.id}: acknowledged, but only ${stored} of ${request.items} stored`)
    }
    if (!request.isAcked && stored > 0 && stored < request.items) {
      violations.push(`${request.id}: not acknowledged, ${stored} of ${request.items} stored: neither all nor none`)
    }
  }
  return violations
}

function countsOf(request: SentRequest, found: Found): number[] {
  if (request.kind !== 'points') {
    return Array.from({ length: request.items }, (_, i) => found.messages.get(messageOf(request.id, i)) ?? 0)
  }
  const points = found.points.get(request.id) ?? 0
  return Array.from({ length: Math.max(request.items, points) }, (_, i) => (i < points ? 1 : 0)).map((count, i) =>
    i >= request.items ? count + 1 : count
  )
}

/** Counts the logs of one round, or of all. */
export async function countMessages(session: Session, round: string | null): Promise<Map<string, number>> {
  const body = { start: 'now-2h', end: 'now', ...(round === null ? {} : { service: round }) }
  const text = await session.text('POST', '/api/v1/logs/query', body, { accept: 'application/x-ndjson' })
  const counts = new Map<string, number>()
  let isComplete = false
  for (const line of text.split('\n')) {
    if (line === '') continue
    const record = JSON.parse(line) as { message?: string; complete?: boolean }
    if (record.complete === true) isComplete = true
    if (record.message !== undefined) counts.set(record.message, (counts.get(record.message) ?? 0) + 1)
  }
  if (!isComplete) throw new Error(`the stream did not state that it was complete: ${text.slice(-300)}`)
  return counts
}

interface SeriesResult {
  readonly series: readonly {
    readonly labels: Readonly<Record<string, string>>
    readonly points: readonly (readonly [unknown, number])[]
  }[]
}

/** Counts the points of one round per request. */
export async function countPoints(session: Session, round: string): Promise<Map<string, number>> {
  const response = await session.call<SeriesResult>('POST', '/api/v1/query', {
    metric: 'crash.points',
    labels: { round },
    start: 'now-1h',
    end: 'now',
    agg: 'count',
    group_by: ['request'],
    step: '1h',
    limit: 1000
  })
  return new Map(
    response.series.map(({ labels, points }) => [labels['request']!, points.reduce((sum, [, count]) => sum + count, 0)])
  )
}
