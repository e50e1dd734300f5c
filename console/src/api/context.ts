import { createContext, use } from 'react'
import type { Api } from './request.js'

/** The API of this tab. */
export const ApiContext = createContext<Api | null>(null)

/** The API of this tab; only below `ApiContext`. */
export function useApi(): Api {
  const api = use(ApiContext)
  if (!api) throw new Error('useApi requires an ApiContext')
  return api
}
