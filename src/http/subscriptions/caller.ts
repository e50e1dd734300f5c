import type { IncomingHttpHeaders } from 'node:http'
import type { Authorizer } from '../../access/authorizer.js'
import type { SessionPrincipal } from '../../access/sessions.js'
import { GatewayError } from '../../domain/errors.js'
import type { Namespace } from '../../domain/namespace.js'
import type { KeyPrincipal } from '../../domain/principal.js'
import { atLeast, type Role } from '../../domain/role.js'

/** What the caller of a socket is checked by. */
export interface CallerDeps {
  readonly authenticator: {
    reader(request: { readonly headers: IncomingHttpHeaders; readonly ip: string }): Promise<SessionPrincipal | KeyPrincipal>
  }
  readonly authorizer: Pick<Authorizer, 'readNamespace' | 'roleIn'>
}

/** Who a socket belongs to. */
export interface Caller {
  readonly principal: SessionPrincipal | KeyPrincipal
  readonly namespace: Namespace
  readonly role: Role
}

/** Members of `connection_init` that count: the headers of a request over HTTP. */
const HEADERS: ReadonlySet<string> = new Set(['authorization', 'x-api-key', 'x-namespace-id'])

/** The headers among the parameters of a connection, case-insensitive. */
export function headersOf(parameters: Readonly<Record<string, unknown>> | undefined): IncomingHttpHeaders {
  const given = Object.entries(parameters ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const)
  return Object.fromEntries(
    given.filter(([name, value]) => HEADERS.has(name) && typeof value === 'string')
  ) as IncomingHttpHeaders
}

/** The caller that headers name, as over HTTP. Throws the 401, 403 and 404 of docs/conventions.md. */
export async function findCaller(
  { authenticator, authorizer }: CallerDeps,
  request: { readonly headers: IncomingHttpHeaders; readonly ip: string }
): Promise<Caller> {
  // A copy: a known credential is checked again only for a new request.
  const principal = await authenticator.reader({ ...request })
  const requested = request.headers['x-namespace-id']
  const namespace = await authorizer.readNamespace(principal, typeof requested === 'string' ? { id: requested } : {})
  return { principal, namespace, role: (await authorizer.roleIn(principal, namespace.id)) ?? 'viewer' }
}

/**
 * Checks the caller of an open socket again. Throws as `findCaller`, and `role_required` when the role is lower than it was:
 * what the socket was opened for may need the former one.
 */
export async function checkCaller(
  deps: CallerDeps,
  request: { readonly headers: IncomingHttpHeaders; readonly ip: string },
  { namespace, role }: Caller
): Promise<Caller> {
  const headers = { ...request.headers, 'x-namespace-id': namespace.id }
  const present = await findCaller(deps, { ...request, headers })
  if (!atLeast(present.role, role)) throw new GatewayError('role_required', 'your role was lowered; connect again')
  return present
}
