import { setTimeout as wait } from 'node:timers/promises'
import { type HttpPost, type Reply, sentence } from '../deliver/http-post.js'
import type { FaultLog } from '../fault-log.js'
import { hostPath } from '../host/run-host.js'
import { type LedgerPage, type LedgerStream, parseLedgerPage } from './ledger-streams.js'

/** How the streams of a host are requested. */
export interface FetchOptions {
  readonly post: Pick<HttpPost, 'compress' | 'put'>
  readonly hostId: string
  /** A report of the host without listeners. */
  readonly body: string
  readonly url: string
  readonly faults: FaultLog
  readonly signal: AbortSignal
}

const TIMEOUT_MS = 10_000
const FIRST_WAIT_MS = 200
const LONGEST_WAIT_MS = 30_000
/** A namespace has at most 20,000 streams, a page 500. */
const MOST_PAGES = 40

/** The request is refused, and will be each time: that must not keep lines from being sent. */
const NEVER: ReadonlySet<number> = new Set([400, 413, 415, 422])

/** The page in a response; `unsupported` when there will be none, null when the request has to be sent again. */
function pageOf({ status, json }: Reply): LedgerPage | 'unsupported' | null {
  if (NEVER.has(status) || json['code'] === 'quota_exceeded') return 'unsupported'
  return status === 200 ? (parseLedgerPage(json) ?? 'unsupported') : null
}

/** Tries until the service responds: what is read before that may come twice. Rejects when the agent stops. */
async function fetchPage(options: FetchOptions, bytes: Buffer, after: string): Promise<LedgerPage | 'unsupported'> {
  const { post, hostId, url, faults, signal } = options
  const path = `${hostPath(hostId)}?streams=true&after=${encodeURIComponent(after)}`
  for (let attempt = 0; ; attempt++) {
    signal.throwIfAborted()
    const reply = await post.put(path, bytes, TIMEOUT_MS).catch((error: unknown) => String(error))
    const page = typeof reply === 'string' ? null : pageOf(reply)
    if (page !== null) return page
    const err = typeof reply === 'string' ? reply : sentence(reply)
    faults.report('waiting for positions of log streams', url, { url, err })
    await wait(Math.min(FIRST_WAIT_MS * 2 ** Math.min(attempt, 10), LONGEST_WAIT_MS), undefined, { signal })
  }
}

/** All streams that the service remembers of this machine; null when it does not report them. */
export async function fetchStreams(options: FetchOptions): Promise<Omit<LedgerPage, 'hasMore'> | null> {
  const bytes = await options.post.compress(options.body)
  const streams: LedgerStream[] = []
  let [after, sinceMs] = ['', 0]
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const page = await fetchPage(options, bytes, after)
    if (page === 'unsupported') return null
    streams.push(...page.streams)
    sinceMs = Math.max(sinceMs, page.sinceMs)
    const last = page.streams.at(-1)
    if (!page.hasMore || last === undefined) break
    after = last.id
  }
  return { streams, sinceMs }
}
