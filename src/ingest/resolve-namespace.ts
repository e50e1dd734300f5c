import { keyTarget, notAllowed, notOfKey } from '../access/asked-namespace.js'
import type { Authorizer } from '../access/authorizer.js'
import { GatewayError } from '../domain/errors.js'
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
    if (named) return { namespace: keyTarget(this.#directory, key, { name: named.name }), source: named.source }
    const source = key.namespaces.length === 0 ? 'default' : 'api_key'
    return { namespace: keyTarget(this.#directory, key, {}), source }
  }

  /**
   * Endpoint 13 and the test span, whose records name none: the key's own, which `X-Namespace-ID` may only repeat; for a
   * session the header's, else its active one.
   */
  async resolveOfCaller(request: IngestRequest): Promise<ResolvedNamespace> {
    const { principal, headerNamespaceId } = request
    if (principal.kind === 'user') {
      const asked = headerNamespaceId ? { id: headerNamespaceId } : {}
      const namespace = await this.#authorizer.writeNamespace(principal, asked)
      return { namespace, source: headerNamespaceId ? 'header' : 'session' }
    }
    if (principal.namespaces.length === 0) throw notAllowed()
    const namespace = keyTarget(this.#directory, principal, {})
    if (headerNamespaceId && headerNamespaceId !== namespace.id && headerNamespaceId !== namespace.name) throw notOfKey()
    return { namespace, source: 'api_key' }
  }
}
