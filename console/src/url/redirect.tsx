import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

/**
 * Replaces the current entry of the history by an address of this app: path and query string, without the base path. The
 * router's own `Navigate` starts again with each rendering, which a navigation causes.
 */
export function Redirect({ to }: { readonly to: string }): null {
  const router = useRouter()
  useEffect(() => {
    void router.navigate({ href: to, replace: true })
  }, [router, to])
  return null
}
