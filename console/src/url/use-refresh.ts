import { focusManager, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { useNamespace } from './use-address.js'
import { WINDOW_KEY } from './use-window.js'

/** Resolves after the page has rendered what its queries reported until now. */
function rendered(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve))
}

/** Moves relative windows to the present; panels with such a window read again. */
export function useMoveWindow(): () => Promise<void> {
  const queryClient = useQueryClient()
  return useCallback(() => queryClient.refetchQueries({ queryKey: [WINDOW_KEY], type: 'active' }), [queryClient])
}

/** Reads everything on the page again, once; relative windows move to the present first. */
export function useRefresh(): () => Promise<void> {
  const queryClient = useQueryClient()
  const namespace = useNamespace()
  const moveWindow = useMoveWindow()
  return useCallback(async () => {
    await moveWindow()
    // Panels whose window moved read by now. Before the render, the requests for the old window would be sent again.
    await rendered()
    await queryClient.invalidateQueries({ queryKey: [namespace] }, { cancelRefetch: false })
  }, [queryClient, namespace, moveWindow])
}

/**
 * Calls `read` at intervals while the page is visible. A turn is skipped while the page still reads: a slow response would
 * be cancelled again and again, and never be shown.
 */
export function useRefreshEvery(intervalMs: number | null, read: () => Promise<void>): void {
  const queryClient = useQueryClient()
  const namespace = useNamespace()
  useEffect(() => {
    if (intervalMs === null) return undefined
    const timer = setInterval(() => {
      if (focusManager.isFocused() && queryClient.isFetching({ queryKey: [namespace] }) === 0) void read()
    }, intervalMs)
    return () => clearInterval(timer)
  }, [queryClient, namespace, intervalMs, read])
}
