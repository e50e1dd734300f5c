import type { Authorizer } from '../access/authorizer.js'
import { GatewayError } from '../domain/errors.js'
import type { NamespaceId } from '../domain/ids.js'
import type { Namespace } from '../domain/namespace.js'
import type { KeyPrincipal } from '../domain/principal.js'
import type { NamespaceDirectory } from '../ports/namespace-directory.js'
import type { IngestRequest, NamespaceSource } from './ingest-request.js'

/** The namespace of a write, and which rule of spec 2.7 named it. */
export interface ResolvedNamespace {
  readonly namespace: Namespace
  readonly source: NamespaceSource
}

interface Named {
  readonly name: string
  readonly source: NamespaceSource
}

/** The literal of spec 2.7 rule 5, for keys without namespaces. */
const DEFAULT_NAME = 'default'

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

/** Rules 1 to 3: body, header, query parameter. */
function namedBy(request: IngestRequest, bodyNamespace: unknown): Named | null {
  if (isSet(bodyNamespace)) {
    if (typeof bodyNamespace === 'string') return { name: bodyNamespace, source: 'body' }
    throw new GatewayError('invalid_field', 'namespace must be a string', { field: 'namespace' })
  }
  if (request.headerNamespace) return { name: request.headerNamespace, source: 'header' }
  if (request.queryNamespace) return { name: request.queryNamespace, source: 'query' }
  return null
}

function notAllowed(): GatewayError {
  // The same words for a namespace that does not exist: the answer tells nothing about others.
  return new GatewayError('namespace_not_allowed', 'the credential may not write to this namespace')
}

function mayWrite(key: KeyPrincipal, namespace: Namespace): boolean {
  if (key.namespaces.length === 0) return namespace.name === DEFAULT_NAME
  return key.namespaces.includes(namespace.id)
}

/** The namespace if it takes data now; the caller has been found to be allowed there. */
function open(namespace: Namespace): Namespace {
  if (namespace.state === 'active') return namespace
  if (namespace.state === 'suspended') throw new GatewayError('namespace_not_allowed', 'the namespace is suspended')
  throw new GatewayError('namespace_deleted', 'the namespace is deleted')
}

/** Decides where a write goes: the order of spec 2.7, then whether the credential may write there. */
export class NamespaceResolver {
  readonly #directory: NamespaceDirectory
  readonly #authorizer: Pick<Authorizer, 'writeNamespace'>

  constructor(directory: NamespaceDirectory, authorizer: Pick<Authorizer, 'writeNamespace'>) {
    this.#directory = directory
    this.#authorizer = authorizer
  }

  /** Endpoints 1 to 4, 15 and 16. `namespace_not_allowed` whether the name exists or not, `namespace_deleted`. */
  resolve(request: IngestRequest, key: KeyPrincipal, bodyNamespace: unknown): ResolvedNamespace {
    const named = namedBy(request, bodyNamespace)
    if (named) return { namespace: this.#allowed(key, this.#directory.byName(named.name)), source: named.source }
    const own = key.namespaces[0]
    if (own === undefined) return { namespace: this.#allowed(key, this.#directory.byName(DEFAULT_NAME)), source: 'default' }
    return { namespace: this.#own(key, own), source: 'api_key' }
  }

  /** Endpoint 13: the key's own, which `X-Namespace-ID` may only repeat; for a session the header's, else its active one. */
  async resolveRum(request: IngestRequest): Promise<ResolvedNamespace> {
    const { principal, headerNamespaceId } = request
    if (principal.kind === 'user') {
      const asked = headerNamespaceId ? { id: headerNamespaceId } : {}
      const namespace = await this.#authorizer.writeNamespace(principal, asked)
      return { namespace: open(namespace), source: headerNamespaceId ? 'header' : 'session' }
    }
    const own = principal.namespaces[0]
    if (own === undefined) throw notAllowed()
    const namespace = this.#own(principal, own)
    if (headerNamespaceId && headerNamespaceId !== namespace.id && headerNamespaceId !== namespace.name) throw notAllowed()
    return { namespace, source: 'api_key' }
  }

  #own(key: KeyPrincipal, id: NamespaceId): Namespace {
    return this.#allowed(key, this.#directory.byId(id))
  }

  #allowed(key: KeyPrincipal, namespace: Namespace | null): Namespace {
    if (namespace === null || !mayWrite(key, namespace)) throw notAllowed()
    return open(namespace)
  }
}
