import { GatewayError } from '../domain/errors.js'
import type { KeyPrincipal } from '../domain/principal.js'
import type { PartialSuccess } from '../otlp/reply.js'
import type { AcceptRecords, BodyForm, IngestWitness } from './ingest-request.js'

/** What OTLP exports. */
export type OtlpSignal = 'logs' | 'metrics' | 'traces'

/** An `Export*ServiceRequest` as an edge hands it over: authenticated, decompressed, not yet decoded. */
export interface OtlpRequest {
  readonly principal: KeyPrincipal
  readonly body: Buffer
  readonly form: BodyForm
  /** Header or metadata `x-service-namespace`. */
  readonly headerNamespace: string | undefined
}

/** Takes one export; answers what was refused of it, null when nothing was. Throws `GatewayError` when nothing was looked at. */
export async function exportOtlp(
  useCase: AcceptRecords,
  signal: OtlpSignal,
  { headerNamespace, ...request }: OtlpRequest,
  witness: IngestWitness
): Promise<PartialSuccess | null> {
  const named = headerNamespace === undefined ? {} : { headerNamespace }
  try {
    const { reply } = await useCase.accept({ ...request, ...named, route: signal, isDryRun: false, ack: 'durable' }, witness)
    return reply.rejected > 0 ? { rejected: reply.rejected, message: reply.errors?.[0]?.detail ?? '' } : null
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
