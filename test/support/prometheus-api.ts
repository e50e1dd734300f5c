import type { RunningService } from './running-service.js'

/** The caller: the header of a session. */
type Session = Readonly<Record<string, string>>

/** A series of the response to an instant query; its time is in seconds. */
export interface InstantSeries {
  readonly metric: Readonly<Record<string, string>>
  readonly value: readonly [number, string]
}

/** `data` of a response of an endpoint of Prometheus's API; a form is posted. */
export async function prometheusData(
  { url }: RunningService,
  session: Session,
  endpoint: string,
  params: Readonly<Record<string, string>>,
  form?: Readonly<Record<string, string>>
): Promise<unknown> {
  const posted = form && { method: 'POST', body: new URLSearchParams(form) }
  const query = new URLSearchParams(params).toString()
  const reply = await fetch(`${url}/prometheus/api/v1/${endpoint}?${query}`, { headers: session, ...posted })
  return ((await reply.json()) as { data: unknown }).data
}

/** The series that a query of PromQL returns at a time, Unix milliseconds. */
export async function instantQuery(
  service: RunningService,
  session: Session,
  query: string,
  timeMs = Date.now()
): Promise<readonly InstantSeries[]> {
  const data = await prometheusData(service, session, 'query', { query, time: String(timeMs / 1000) })
  return (data as { result: readonly InstantSeries[] }).result
}
