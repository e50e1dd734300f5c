import { useQueries, type UseQueryResult } from '@tanstack/react-query'
import { PromqlChartDocument, type PromqlChartQuery } from '../api/generated/PromqlChart.js'
import { useApi } from '../api/context.js'
import type { TimeWindow } from '../url/time-window.js'

/** Series of one expression over the window. */
export type PromMatrix = Extract<NonNullable<PromqlChartQuery['promql']>, { readonly __typename: 'PromMatrix' }>

/** Points per series: one per two pixels of a wide chart. */
export const MAX_POINTS = 600

/** The results of some expressions, each by itself: one that fails leaves the others. */
export function usePromql(
  expressions: readonly string[],
  options: { readonly namespace: string; readonly window: TimeWindow; readonly step: string | null }
): readonly UseQueryResult<PromqlChartQuery>[] {
  const { namespace, window, step } = options
  const api = useApi()
  return useQueries({
    queries: expressions.map(query => ({
      queryKey: [namespace, 'metrics.promql', query, window, step],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        api.request(PromqlChartDocument, { query, range: window, step, maxPoints: MAX_POINTS }, { namespace, signal })
    }))
  })
}

/** The matrix of a result; null while it loads and after an error. */
export function matrixOf(result: UseQueryResult<PromqlChartQuery> | undefined): PromMatrix | null {
  const promql = result?.data?.promql
  return promql?.__typename === 'PromMatrix' ? promql : null
}
