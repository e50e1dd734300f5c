import type { SessionQuery } from '../api/generated/Session.js'
import { parseDurationText } from '../format/duration-text.js'
import { formatInstantNs, parseInstantNs } from '../format/instant.js'

type Retention = NonNullable<SessionQuery['viewer']['namespace']>['retention']

const NS_PER_MS = 1_000_000n

/** Signal that a page reads, by the name of the page in its path. */
const SIGNALS: Readonly<Record<string, keyof Retention>> = {
  logs: 'logs',
  traces: 'traces',
  apm: 'traces',
  metrics: 'metrics',
  rum: 'rum',
  errors: 'errors'
}

/**
 * When a link to a window is empty: the retention has removed its last record. Null when nothing of the page expires.
 *
 * @param page name of the page in the path: `logs`
 * @param to end of the window, RFC 3339
 */
export function emptyAfter(page: string, to: string, retention: Retention): string | null {
  const kept = Object.hasOwn(SIGNALS, page) ? retention[SIGNALS[page]!] : null
  const ms = typeof kept === 'string' ? parseDurationText(kept) : null
  return ms === null ? null : formatInstantNs(parseInstantNs(to)! + BigInt(Math.round(ms)) * NS_PER_MS)
}
