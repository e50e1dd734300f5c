import { GatewayError } from '../domain/errors.js'
import type { RateState } from '../threads/rate-limits.js'
import type { IngestObserver } from './ingest-request.js'

/** Reports the state of a limit. Throws `rate_limited` when it refused the request. */
export function requireRate(state: RateState, observer: IngestObserver): void {
  observer.rateTaken(state)
  if (state.isAllowed) return
  throw new GatewayError('rate_limited', `the rate limit "${state.policy}" is reached`, { retryAfterS: state.retryAfterS })
}
