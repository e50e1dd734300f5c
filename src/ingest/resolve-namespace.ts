import { keyTarget, notAllowed } from '../access/requested-namespace.js'
import type { Authorizer } from '../access/authorizer.js'
import { GatewayError } from '../domain/errors.js'
import type { Namespace } from '../domain/namespace.js'
import type { KeyPrincipal } from '../domain/principal.js'
import type { NamespaceDirectory } from '../ports/namespace-directory.js'
import type { IngestRequest, NamespaceSource } from './ingest-request.js'
import { isRawObject } from './raw-object.js'

/** The namespace of a write, and which rule of the namespace resolution named it. */
export interface ResolvedNamespace {
  readonly namespace: Namespace
  readonly source: NamespaceSource
}

interface NamedNamespace {
  readonly name: string
  readonly source: NamespaceSource
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

/** Rules 1 to 3: body, header, query parameter. */
function namedBy(request: IngestRequest, bodyNamespace: unknown): NamedNamespace | null {
  if (isSet(bodyNamespace)) {
    if (typeof bodyNamespace === 'string') return { name: bodyNamespace, source: 'body' }
    throw new GatewayError('invalid_field', 'namespace must be a string', { field: 'namespace' })
  }
  if (request.headerNamespace) return { name: request.headerNamespace, source: 'header' }
  if (request.queryNamespace) return { name: request.queryNamespace, source: 'query' }
  return null
}

/** Refuses a request that also names another namespace where none is chosen: it would be stored where no one looks for it. */
function requireSame(namespace: Namespace, ...others: readonly (string | undefined)[]): void {
  for (const other of others) {
    if (other && other !== namespace.id && other !== namespace.name) throw notChosen(namespace)
  }
}

function notChosen({ name }: Namespace): GatewayError {
  const detail = `the request also names a namespace other than ${name}, where it would be stored; name one namespace`
  return new GatewayError('namespace_not_allowed', detail)
}

/** Decides where a write goes: the order of the namespace resolution, then whether the credential may write there. */
export class NamespaceResolution {
  readonly #directory: NamespaceDirectory
  readonly #authorizer: Pick<Authorizer, 'writeNamespace'>

  constructor(directory: NamespaceDirectory, authorizer: Pick<Authorizer, 'writeNamespace'>) {
    this.#directory = directory
    this.#authorizer = authorizer
  }

  /** Writes by key. `namespace_not_allowed` whether the name exists or not, `namespace_deleted`. */
  resolve(request: IngestRequest, key: KeyPrincipal, bodyNamespace: unknown): ResolvedNamespace {
    const named = namedBy(request, bodyNamespace)
    if (named) return { namespace: keyTarget(this.#directory, key, { name: named.name }), source: named.source }
    const source = key.namespaces.length === 0 ? 'default' : 'api_key'
    const namespace = keyTarget(this.#directory, key, {})
    requireSame(namespace, request.headerNamespaceId)
    return { namespace, source }
  }

  /**
   * Page views and the test span, whose records name none: the key's own; for a session that of `X-Namespace-ID`, else
   * its active one. Whatever else names a namespace may only repeat it.
   */
  async resolveOfCaller(request: IngestRequest): Promise<ResolvedNamespace> {
    const resolved = await this.#ofCaller(request)
    requireSame(resolved.namespace, request.headerNamespaceId, request.headerNamespace, request.queryNamespace)
    return resolved
  }

  async #ofCaller({ principal, headerNamespaceId }: IngestRequest): Promise<ResolvedNamespace> {
    if (principal.kind === 'user') {
      const requested = headerNamespaceId ? { id: headerNamespaceId } : {}
      const namespace = await this.#authorizer.writeNamespace(principal, requested)
      return { namespace, source: headerNamespaceId ? 'header' : 'session' }
    }
    if (principal.namespaces.length === 0) throw notAllowed()
    return { namespace: keyTarget(this.#directory, principal, {}), source: 'api_key' }
  }
}

/**
 * The namespace that the records of a batch name when the batch itself names none: the only one that any of them
 * names, else undefined. Each record is checked against the outcome later (`ItemCheck.ownNamespace`).
 */
export function namespaceOfItems(items: readonly unknown[]): string | undefined {
  let found: string | undefined
  for (const item of items) {
    if (!isRawObject(item)) continue
    const { namespace } = item
    if (typeof namespace !== 'string' || namespace === '' || namespace === found) continue
    if (found !== undefined) return undefined
    found = namespace
  }
  return found
}

/** The namespace of a write by key; `named` is what its body names. Throws `scope_required` for other callers. */
export function resolveByKey(resolver: NamespaceResolution, request: IngestRequest, named: unknown): ResolvedNamespace {
  if (request.principal.kind !== 'key') throw new GatewayError('scope_required', 'this route takes an API key of kind ingest')
  return resolver.resolve(request, request.principal, named)
}
