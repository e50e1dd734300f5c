import type { Metadata } from '@grpc/grpc-js'
import type { KeyVerifier } from '../access/key-verifier.js'
import { GatewayError } from '../domain/errors.js'
import type { KeyPrincipal } from '../domain/principal.js'
import type { NamedNamespaces } from '../ingest/ingest-request.js'

const BEARER = /^bearer +(\S+)$/i

/** The first value of a key, undefined when it is absent or empty. */
export function metadataValue(metadata: Metadata, key: string): string | undefined {
  const value = metadata.get(key)[0]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The namespaces that a call names; gRPC has no query parameters. */
export function namespacesOfCall(metadata: Metadata): NamedNamespaces {
  return {
    headerNamespace: metadataValue(metadata, 'x-service-namespace'),
    queryNamespace: undefined,
    headerNamespaceId: metadataValue(metadata, 'x-namespace-id')
  }
}

function secretOf(metadata: Metadata): string {
  const key = metadataValue(metadata, 'x-api-key')
  if (key !== undefined) return key
  const authorization = metadataValue(metadata, 'authorization')
  if (authorization === undefined) {
    throw new GatewayError('missing_credential', 'this needs an API key of kind ingest in the metadata x-api-key or as bearer')
  }
  const bearer = BEARER.exec(authorization)?.[1]
  if (bearer === undefined) throw new GatewayError('invalid_credential', 'authorization must be Bearer and one token')
  return bearer
}

/** The address of a peer, which is written `192.0.2.1:4317` or `[2001:db8::1]:4317`. */
function hostOf(peer: string): string {
  return peer.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
}

/** Authenticates the caller, by an ingest key in the metadata: `x-api-key`, or `authorization` as bearer. */
export class Callers {
  readonly #keys: Pick<KeyVerifier, 'verify' | 'isStillGood'>
  readonly #known = new WeakMap<Metadata, KeyPrincipal>()

  constructor(keys: Pick<KeyVerifier, 'verify' | 'isStillGood'>) {
    this.#keys = keys
  }

  /** Called before the message arrives and again after it: a key may be revoked meanwhile. Throws the 401 and 403 of REST. */
  async keyOf(metadata: Metadata, peer: string): Promise<KeyPrincipal> {
    const known = this.#known.get(metadata)
    if (known !== undefined && this.#keys.isStillGood(known)) return known
    const key = await this.#keys.verify(secretOf(metadata), hostOf(peer))
    if (key.keyKind !== 'ingest') {
      throw new GatewayError('scope_required', `this needs an API key of kind ingest; this one is of kind ${key.keyKind}`)
    }
    this.#known.set(metadata, key)
    return key
  }
}
