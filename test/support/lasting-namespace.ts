import type { RunningService } from './running-service.js'
import { must, textOf } from './tenants.js'

/** A namespace of its own that keeps forever, for requests that carry the times at which they were made. */
export interface LastingNamespace {
  readonly name: string
  readonly ingestKey: string
  /** What a reader sends. */
  readonly reader: { readonly authorization: string; readonly 'x-namespace-id': string }
}

/** Makes a namespace and a key to write to it. */
export async function makeLastingNamespace(
  service: RunningService,
  session: { readonly authorization: string },
  name: string
): Promise<LastingNamespace> {
  const bearer = session.authorization.replace('Bearer ', '')
  const retention = { logs: 'forever', traces: 'forever', metrics: 'forever' }
  const id = textOf(await must(service.api, 'POST /api/v1/namespaces', bearer, { name, retention }), 'id')
  const made = await must(service.api, 'POST /api/v1/keys', bearer, { name, kind: 'ingest', namespaces: [id] })
  return { name, ingestKey: textOf(made, 'key'), reader: { ...session, 'x-namespace-id': id } }
}
