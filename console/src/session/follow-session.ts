import type { QueryClient } from '@tanstack/react-query'
import type { Session, SessionState } from './session.js'

function userOf(state: SessionState): string | null {
  return 'user' in state ? state.user.id : null
}

/** Forgets all results when another user signs in, and repeats failed reads when the same one signs in again. */
export function followSession(session: Session, queryClient: QueryClient): void {
  let last = session.state()
  session.subscribe(() => {
    const state = session.state()
    const [before, after] = [userOf(last), userOf(state)]
    if (before !== null && before !== after) queryClient.clear()
    else if (last.status === 'expired' && state.status === 'signed-in')
      void queryClient.refetchQueries({ type: 'active', predicate: query => query.state.status === 'error' })
    last = state
  })
}
