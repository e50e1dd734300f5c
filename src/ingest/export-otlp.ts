import { GatewayError } from '../domain/errors.js'
import type { NamespaceId } from '../domain/ids.js'
import type { KeyPrincipal } from '../domain/principal.js'
import type { OtlpRecord } from '../otlp/model.js'
import type { PartialSuccess } from '../otlp/reply.js'
import type { AcceptRecords, BodyForm, IngestObserver, NamedNamespaces } from './ingest-request.js'
import type { OtlpProtocol, OtlpSignal, OtlpStatus } from './otlp-status.js'

/** An `Export*ServiceRequest` as an edge hands it over: authenticated, decompressed, not yet decoded. */
export interface OtlpRequest {
  readonly principal: KeyPrincipal
  readonly signal: OtlpSignal
  readonly protocol: OtlpProtocol
  readonly body: Buffer
  readonly form: BodyForm
  readonly named: NamedNamespaces
}

/** Takes one export; returns what was refused of it, null when nothing was. Throws `GatewayError` when nothing was looked at. */
export async function exportOtlp(
  { useCase, status }: { readonly useCase: AcceptRecords; readonly status: OtlpStatus },
  request: OtlpRequest,
  observer: IngestObserver
): Promise<PartialSuccess | null> {
  const { principal, signal, protocol, body } = request
  const came = { protocol, signal, bytes: body.length }
  // Of a key with a single namespace it is known whose request it was, even when it could not be read.
  let ns: NamespaceId | undefined = principal.namespaces.length === 1 ? principal.namespaces[0] : undefined
  let records: readonly unknown[] = []
  const seeing: IngestObserver = {
    rateTaken: state => observer.rateTaken(state),
    recordsRead: items => void (records = items),
    namespaceResolved: namespace => {
      ns = namespace.id
      observer.namespaceResolved(namespace)
    }
  }
  try {
    const partial = await takeExport(useCase, request, seeing)
    if (ns !== undefined) status.accepted(ns, came, records as readonly OtlpRecord[], partial)
    return partial
  } catch (error) {
    if (ns !== undefined && error instanceof GatewayError) status.refused(ns, came, `${error.code}: ${error.message}`)
    throw error
  }
}

async function takeExport(
  useCase: AcceptRecords,
  { principal, body, form, signal, named }: OtlpRequest,
  observer: IngestObserver
): Promise<PartialSuccess | null> {
  const request = { principal, body, form, route: signal, isDryRun: false, ack: 'durable', ...named } as const
  try {
    const { reply } = await useCase.accept(request, observer)
    const message = reply.errors?.[0]?.detail ?? reply.overflow?.detail ?? ''
    // OTLP: a message without rejected records is a warning.
    return reply.rejected > 0 || message !== '' ? { rejected: reply.rejected, message } : null
  } catch (error) {
    const partial = error instanceof GatewayError ? refusedWhole(error) : null
    if (partial === null) throw error
    return partial
  }
}

/** Senders drop what a client error other than 429 refuses: a request of which nothing fits is a partial success of none. */
function refusedWhole(error: GatewayError): PartialSuccess | null {
  const rejected = error.members['rejected']
  return typeof rejected === 'number' && rejected > 0 ? { rejected, message: error.message } : null
}
