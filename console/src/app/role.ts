import type { Role } from '../api/generated/Session.js'
import { useNamespace } from '../url/use-address.js'
import { useViewer } from './use-viewer.js'

const RANK: Readonly<Record<Role, number>> = { VIEWER: 0, MEMBER: 1, ADMIN: 2 }

/** What each role may do, as the settings explain it. */
export const ROLE_MEANING: Readonly<Record<Role, string>> = {
  VIEWER: 'reads telemetry',
  MEMBER: 'also changes shared state, for example that of exceptions, and sends test spans',
  ADMIN: 'also manages keys, members, retention and the namespace itself'
}

/** Why a role does not allow what requires another one; null when it does. Without a role nothing is allowed. */
export function roleRefusal(role: Role | null, needed: Role): string | null {
  if (role !== null && RANK[role] >= RANK[needed]) return null
  const own = role === null ? 'you have no role in this namespace' : `your role is ${role.toLowerCase()}`
  return `Requires the role ${needed.toLowerCase()}; ${own}.`
}

/** `roleRefusal` for the signed-in user in the namespace of the page. */
export function useRoleRefusal(needed: Role): string | null {
  const { data } = useViewer(useNamespace())
  return data ? roleRefusal(data.viewer.role ?? null, needed) : 'Your role is being loaded.'
}
