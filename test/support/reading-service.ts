import type { CheckedResponse } from './api-fetch.js'
import { type RunningService, type ServiceOptions, startService } from './running-service.js'

type Json = Readonly<Record<string, unknown>>

/** A running service with one reader, and short words for writing and reading. */
export interface ReadingService extends RunningService {
  /** What the reader sends. */
  readonly session: { readonly authorization: string }
  /** Sends to the ingest address or the API with the first key; fails unless all was accepted. */
  write(path: string, json: unknown): Promise<void>
  get(path: string): Promise<CheckedResponse>
  post(path: string, json?: unknown, headers?: Readonly<Record<string, string>>): Promise<CheckedResponse>
  /** The body of a 200 response; anything else fails. */
  ok(response: Promise<CheckedResponse>): Promise<Json>
  /** Status and code of a problem. */
  fault(response: Promise<CheckedResponse>): Promise<readonly [number, unknown]>
}

/** Starts the service and signs in its operator, whose credentials are given when the data folder is not new. */
export async function startReadingService(
  options: ServiceOptions & { readonly as?: { readonly email: string; readonly password: string | null } } = {}
): Promise<ReadingService> {
  // A fast machine runs more than 50 queries a second.
  const service = await startService({ flags: ['--rate-queries', '1000'], ...options })
  const session = await (options.as ? service.login(options.as.email, options.as.password ?? '') : service.login())
  const key = { 'x-api-key': service.first.ingestKey }
  return {
    ...service,
    session,
    write: async (path, json) => {
      const response = await service.ingest(path, { method: 'POST', json, headers: key })
      if (response.status !== 200 || response.json?.['status'] !== 'ok')
        throw new Error(`${path}: ${response.status} ${response.text}`)
    },
    get: path => service.api(path, { headers: session }),
    post: (path, json, headers = {}) => service.api(path, { method: 'POST', json, headers: { ...session, ...headers } }),
    ok: async response => {
      const { status, json, text } = await response
      if (status !== 200 || !json) throw new Error(`${status} ${text}`)
      return json
    },
    fault: async response => {
      const { status, json } = await response
      return [status, json?.['code']]
    }
  }
}
