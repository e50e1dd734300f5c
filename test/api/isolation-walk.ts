import type { RunningService } from '../support/running-service.js'
import type { Tenant } from '../support/tenants.js'

/** One call of an operation, as its rightful caller makes it. */
export interface Call {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
  /** A body that is not JSON, and the headers that describe it; replaces `body`. */
  readonly raw?: { readonly bytes: Buffer; readonly headers: Readonly<Record<string, string>> }
}

/** How an operation is walked. */
export interface Walk {
  /** Who may make the call: a signed-in reader, an admin, or an ingest key. */
  readonly as: 'reader' | 'admin' | 'key'
  /** Makes a call that works, with things to spend where it destroys them. */
  readonly call: (tenant: Tenant, service: RunningService) => Call | Promise<Call>
  /** What its owner finds in the response; the marker when absent. */
  readonly sees?: (tenant: Tenant) => string
  /** A viewer may do it too: it concerns only the caller. */
  readonly isForAll?: boolean
  /** A member may do it too. */
  readonly isForMembers?: boolean
}
