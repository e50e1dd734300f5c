import { CreateNamespaceDocument, SessionDocument } from '../fixtures/generated/graphql.js'
import { postGraphql, runOperation } from './graphql-client.js'
import { type RunningService, startService } from './running-service.js'

/** Headers of a signed-in user. */
export type Credential = Readonly<Record<string, string>>

/** A service with an admin, the namespace of a team, and a guest who is not a member of it. */
export interface TeamService {
  readonly service: RunningService
  readonly admin: Credential
  readonly guest: Credential
  readonly guestId: string
  readonly teamId: string
}

/** Registers a user. */
export async function register(service: RunningService, email: string): Promise<Credential> {
  const response = await service.api('/api/v1/auth/register', {
    method: 'POST',
    json: { email, password: 'correct horse battery' }
  })
  if (response.status !== 201) throw new Error(response.text)
  return { authorization: `Bearer ${String(response.json['access_token'])}` }
}

/** Status and first error code of a GraphQL request. */
export async function codeOf(service: RunningService, query: string, headers: Credential): Promise<[number, unknown]> {
  const response = await postGraphql(service.url, { query }, headers)
  return [response.status, response.errors[0]?.extensions['code']]
}

/** Starts a service with open registration, a team and a guest. */
export async function startTeamService(): Promise<TeamService> {
  const service = await startService({ flags: ['--registration', 'open', '--rate-queries', '100000'] })
  const admin = await service.login()
  const guest = await register(service, 'guest@shop.test')
  const { createNamespace } = await runOperation(service.url, CreateNamespaceDocument, { name: 'shop-team' }, admin)
  const { viewer } = await runOperation(service.url, SessionDocument, {}, guest)
  return { service, admin, guest, guestId: viewer.principal.id, teamId: createNamespace.namespace!.id }
}
