import { diagnosisOf, GatewayError, sentenceOf } from '../../domain/errors.js'
import type { StoreHealth, Stores } from '../../ports/stores.js'

/** What every opened engine offers next to the stores of its signals. */
export interface Engine extends Pick<Stores, 'health' | 'sizes' | 'gauges' | 'close'> {
  /** `duckdb`, `elasticsearch`, ... */
  readonly name: string
}

const HEALTH_TIMEOUT_MS = 2_000

/** The result of `read`; rejects if that takes too long. */
export async function inTime<T>(read: () => Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new GatewayError('store_unavailable', `no response within ${timeoutMs} ms`)), timeoutMs)
  })
  return Promise.race([read(), late]).finally(() => clearTimeout(timer))
}

/** The result of `read`, or `unhealthy` if it fails or takes too long. */
export function healthInTime(
  name: string,
  read: () => Promise<readonly StoreHealth[]>,
  timeoutMs = HEALTH_TIMEOUT_MS
): Promise<readonly StoreHealth[]> {
  const unwell = (error: unknown): readonly StoreHealth[] => [
    { name, healthy: false, latencyMs: null, detail: sentenceOf(error), diagnosis: diagnosisOf(error) }
  ]
  return inTime(read, timeoutMs).catch(unwell)
}
