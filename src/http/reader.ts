import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Namespace } from '../domain/namespace.js'
import type { Principal } from '../domain/principal.js'
import type { QueryLimits, QueryPermit } from '../query/query-limits.js'
import { clientSignal } from './client-signal.js'

/** The part of a request that names its caller. */
type Presented = Pick<FastifyRequest, 'headers' | 'ip'>

/** The dependencies of every read route: authentication, namespaces and concurrency limits. */
export interface ReadAccess {
  readonly authenticator: { reader(req: Presented): Promise<Principal> }
  readonly authorizer: {
    readNamespace(principal: Principal, requested: { readonly name?: string; readonly id?: string }): Promise<Namespace>
  }
  readonly limits: QueryLimits
}

/** Who reads where. */
interface Reading {
  readonly principal: Principal
  readonly namespace: Namespace
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined
}

/** The namespace that the request names: `namespace` of the path, else of the body, else of the query string; and `X-Namespace-ID`. */
function requestedNamespace(req: FastifyRequest): { readonly name?: string; readonly id?: string } {
  const name = [req.params, req.body, req.query].map(part => textOf(memberOf(part, 'namespace'))).find(text => text !== undefined)
  const id = textOf(req.headers['x-namespace-id'])
  return { ...(name !== undefined && { name }), ...(id !== undefined && { id }) }
}

async function readingOf(req: FastifyRequest, reply: FastifyReply, access: ReadAccess): Promise<Reading> {
  const principal = await access.authenticator.reader(req)
  const namespace = await access.authorizer.readNamespace(principal, requestedNamespace(req))
  void reply.header('x-resolved-namespace', namespace.name)
  return { principal, namespace }
}

function setRateHeaders(reply: FastifyReply, { limits }: ReadAccess, namespace: Namespace): void {
  const { quota, remaining } = limits.rateOf(namespace.id)
  void reply.header('ratelimit-policy', `"queries";q=${quota};w=1`).header('ratelimit', `"queries";r=${remaining};t=1`)
}

/** Handles one read: authenticates, authorizes, admits, and runs the query under a signal that ends with the client. */
export async function sendRead<T>(
  req: FastifyRequest,
  reply: FastifyReply,
  access: ReadAccess,
  work: (namespace: Namespace, signal: AbortSignal) => Promise<T>
): Promise<T> {
  const { principal, namespace } = await readingOf(req, reply, access)
  const requested = { principal, namespace: namespace.id, signal: clientSignal(reply) }
  try {
    return await access.limits.run(requested, signal => work(namespace, signal))
  } finally {
    setRateHeaders(reply, access, namespace)
  }
}

/** A response that is streamed. */
export interface AdmittedStream {
  readonly principal: Principal
  readonly namespace: Namespace
  readonly signal: AbortSignal
  readonly permit: QueryPermit
  /** Rejects once the caller may not read the namespace any more. */
  readonly recheck: () => Promise<void>
}

/** As `sendRead` for a response that is streamed: it counts as running until the connection is done with it. */
export async function admitStream(req: FastifyRequest, reply: FastifyReply, access: ReadAccess): Promise<AdmittedStream> {
  const { principal, namespace } = await readingOf(req, reply, access)
  try {
    const permit = access.limits.admit(principal, namespace.id)
    reply.raw.once('close', () => permit.release())
    // Of a client that left before, nothing is heard any more.
    if (reply.raw.destroyed) permit.release()
    return { principal, namespace, permit, signal: clientSignal(reply), recheck: async () => recheck(req, access, namespace) }
  } finally {
    setRateHeaders(reply, access, namespace)
  }
}

async function recheck({ headers, ip }: Presented, { authenticator, authorizer }: ReadAccess, { id }: Namespace): Promise<void> {
  // Not the request itself: a known credential is checked again only for a new one.
  const principal = await authenticator.reader({ headers, ip })
  await authorizer.readNamespace(principal, { id })
}
