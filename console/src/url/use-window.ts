import { useQuery } from '@tanstack/react-query'
import { useApi } from '../api/context.js'
import { type AddressProblem, readWindow, resolveWindow, type TimeWindow, type WindowChoice } from './time-window.js'
import { useAddress } from './use-address.js'

/** The window of the page. */
export interface PageWindow {
  /** As the address has it. */
  readonly choice: WindowChoice
  /** Its absolute times; all panels of a page use the same ones until the next refresh. */
  readonly window: TimeWindow
  readonly problems: readonly AddressProblem[]
}

/** First part of the query key of resolved windows: to refetch them refreshes all panels. */
export const WINDOW_KEY = 'window'

const REFRESH_MS: Readonly<Record<string, number>> = { '10s': 10_000, '30s': 30_000, '1m': 60_000, '5m': 300_000 }

/** Values of the key `refresh`. */
export const REFRESH_INTERVALS = Object.keys(REFRESH_MS)

/** The value of the key `refresh` in milliseconds; null for none, and for any other text. */
export function refreshMs(interval: string | null): number | null {
  return interval !== null && Object.hasOwn(REFRESH_MS, interval) ? REFRESH_MS[interval]! : null
}

/** The window of the address, resolved once for all panels, and again on each refresh. */
export function usePageWindow(): PageWindow {
  const api = useApi()
  const { search } = useAddress()
  const { choice, problems } = readWindow(search, api.nowMs())
  const resolve = (): TimeWindow => resolveWindow(choice, api.nowMs())
  const { data } = useQuery({
    queryKey: [WINDOW_KEY, choice.from, choice.to],
    queryFn: resolve,
    initialData: resolve
  })
  return { choice, window: data, problems }
}
