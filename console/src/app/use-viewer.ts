import type { UseQueryResult } from '@tanstack/react-query'
import { SessionDocument, type SessionQuery } from '../api/generated/Session.js'
import { useRequest } from '../api/use-request.js'

/** The signed-in user in a namespace: role and memberships. Fails with `namespace_not_allowed` for any other namespace. */
export function useViewer(namespace: string): UseQueryResult<SessionQuery> {
  return useRequest(SessionDocument, {}, { namespace })
}
