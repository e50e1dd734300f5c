import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './errors.js'

/** Repetitions of a read that failed for lack of a service; a person can press Retry afterwards. */
const MAX_RETRIES = 10
const MAX_DELAY_MS = 15_000

/** Caches results per namespace. Reads are repeated while the service is away or at its limit; writes never are. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Infinity,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        networkMode: 'always',
        retry: (count, error) => count < MAX_RETRIES && error instanceof ApiError && error.retryAfterMs !== null,
        retryDelay: (count, error) => {
          const atLeast = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0
          return Math.min(MAX_DELAY_MS, Math.max(atLeast, 1_000 * 2 ** Math.min(count, 3)))
        }
      },
      mutations: { retry: false, networkMode: 'always' }
    }
  })
}
