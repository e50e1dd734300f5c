import type { FastifyRequest } from 'fastify'
import type { Ingest } from '../../ingest/ingest.js'
import type { Authenticator } from '../authenticate.js'

/** What the write routes stand on. */
export interface IngestRouteDeps {
  readonly ingest: Ingest
  readonly authenticator: Pick<Authenticator, 'apiKey' | 'rumWriter'>
}

/** As above, and where a visitor's country may come from. */
export interface RumRouteDeps extends IngestRouteDeps {
  /** Country that a trusted proxy put into a header; null or absent when there is none. */
  readonly countryOf?: (req: FastifyRequest) => string | null
}
