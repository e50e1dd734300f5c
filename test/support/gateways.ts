import type { ControlChange } from '../../src/ports/control-changes.js'
import type { CheckedResponse } from './api-fetch.js'
import { collectNews } from './control-news.js'
import type { RunningService } from './running-service.js'
import { startService } from './running-service.js'

/** What a caller sends with each request. */
export type Headers = Readonly<Record<string, string>>

/** One of several services on one control database. */
export interface Gateway {
  readonly service: RunningService
  send(method: string, path: string, headers: Headers, json?: unknown): Promise<CheckedResponse>
  /** Resolves when `work` is done and this gateway has followed a change that fits, be it of before `work` was done. */
  hears<T>(fits: (change: ControlChange) => boolean, work: () => Promise<T>): Promise<T>
}

/** Starts a service of its own folder on the stores that the environment variables name. */
export async function startGateway(env: Readonly<Record<string, string>>): Promise<Gateway> {
  const news = collectNews()
  const service = await startService({
    flags: ['--registration', 'open'],
    env,
    app: { onControlChange: news.hear }
  })
  return {
    service,
    send: (method, path, headers, json) => service.api(path, { method, headers, ...(json === undefined ? {} : { json }) }),
    hears: async (fits, work) => {
      const from = news.all.length
      const result = await work()
      await news.next(fits, from)
      return result
    }
  }
}

/** Whether a change is of this kind and speaks of these. */
export function about(
  kind: ControlChange['kind'],
  of: Readonly<Record<string, string>> = {}
): (change: ControlChange) => boolean {
  return change =>
    change.kind === kind &&
    Object.entries(of).every(([key, id]) => Object.entries(change).some(([k, v]) => k === key && v === id))
}
