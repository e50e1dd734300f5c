import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useNamespace } from './use-address.js'
import { WINDOW_KEY } from './use-window.js'

/** Reads everything on the page again; relative windows move to the present first. */
export function useRefresh(): () => Promise<void> {
  const queryClient = useQueryClient()
  const namespace = useNamespace()
  return useCallback(async () => {
    await queryClient.refetchQueries({ queryKey: [WINDOW_KEY], type: 'active' })
    await queryClient.invalidateQueries({ queryKey: [namespace] })
  }, [queryClient, namespace])
}
