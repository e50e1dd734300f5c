import type { RunningService } from '../../support/running-service.js'

/** Credentials of a user with a role in the namespace of the first start. */
export interface SecondUser {
  readonly email: string
  readonly password: string
}

/** Invites and registers a user with `role`. */
export async function joinAs(service: RunningService, role: 'VIEWER' | 'MEMBER' | 'ADMIN', email: string): Promise<SecondUser> {
  const { api, first } = service
  const headers = { ...(await service.login()), 'x-namespace-id': first.namespaceId }
  const query = `mutation { inviteMember(role: ${role}) { token } }`
  const invited = await api('/graphql', { method: 'POST', headers, json: { query } })
  const { data } = invited.json as { data: { inviteMember: { token: string } } }
  const password = 'correct horse battery'
  const json = { email, password, invitation_token: data.inviteMember.token }
  const registered = await api('/api/v1/auth/register', { method: 'POST', json })
  if (registered.status !== 201) throw new Error(`registration of ${email} failed: ${registered.text}`)
  return { email, password }
}
