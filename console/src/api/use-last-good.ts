import { useState } from 'react'

/**
 * The latest result that is not undefined, so that rows stay when the next search fails. A result of another `scope` (the
 * namespace) is never shown.
 */
export function useLastGood<Result>(result: Result | undefined, scope: string): Result | undefined {
  const [last, setLast] = useState({ result, scope })
  if ((result !== undefined && result !== last.result) || scope !== last.scope) setLast({ result, scope })
  return result ?? (last.scope === scope ? last.result : undefined)
}
