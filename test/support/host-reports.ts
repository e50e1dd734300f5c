import type { CheckedResponse } from './api-fetch.js'
import { ClockAhead } from './clock-ahead.js'
import { postGraphql } from './graphql-client.js'
import { type ReadingService, startReadingService } from './reading-service.js'

type Json = Readonly<Record<string, unknown>>

/** Seconds between two reports of the hosts of tests. */
export const INTERVAL_S = 60

/** A listening socket in a report. */
export function socket(port: number, more: Json = {}): Json {
  return { protocol: 'tcp', address: '0.0.0.0', port, process: 'app', ...more }
}

/** A running service whose clock a test puts forward, with reports of hosts. */
export interface ReportedHostsService extends ReadingService {
  readonly clock: ClockAhead
  put(id: string, json: unknown, query?: string): Promise<CheckedResponse>
  /** Reports a host; fails unless the report is stored. */
  report(id: string, name: string, more?: Json): Promise<void>
  /** Data of a GraphQL query; errors fail. */
  graphql(query: string): Promise<Json>
}

/** Reads with a key: sessions end within the time that tests put forward. */
export async function startReportedHosts(): Promise<ReportedHostsService> {
  const clock = new ClockAhead()
  const started = await startReadingService({ app: { clock } })
  const { json } = await started.post('/api/v1/keys', { name: 'reader', kind: 'query' })
  const reader = { authorization: `Bearer ${String(json['key'])}` }
  const put = (id: string, body: unknown, query = ''): Promise<CheckedResponse> => {
    const headers = { 'x-api-key': started.first.ingestKey }
    return started.ingest(`/api/v1/hosts/${id}${query}`, { method: 'PUT', json: body, headers })
  }
  return {
    ...started,
    clock,
    put,
    get: path => started.api(path, { headers: reader }),
    report: async (id, name, more = {}) => {
      const response = await put(id, { name, interval_s: INTERVAL_S, ...more })
      if (response.status !== 200) throw new Error(response.text)
    },
    graphql: async query => {
      const { data, errors, text } = await postGraphql(started.url, { query }, reader)
      if (errors.length > 0 || !data) throw new Error(text)
      return data
    }
  }
}
