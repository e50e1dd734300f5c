import { createContext, use, useSyncExternalStore } from 'react'
import type { Session, SessionState } from './session.js'

/** The session of this tab. */
export const SessionContext = createContext<Session | null>(null)

/** The session of this tab; only below `SessionContext`. */
export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('useSession requires a SessionContext')
  return session
}

/** The state of the session; renders again when it changes. */
export function useSessionState(): SessionState {
  const session = useSession()
  return useSyncExternalStore(session.subscribe, session.state)
}
