import type { ApiFetch } from '../support/api-fetch.js'
import type { Tenant } from '../support/tenants.js'

/** A root field as its rightful caller requests it. */
export interface Walk {
  /** Its arguments, with things to spend where it destroys them. */
  readonly args: (tenant: Tenant, api: ApiFetch) => string | Promise<string>
  /** What the owner finds; the marker when absent. */
  readonly sees?: (tenant: Tenant) => string
  /** Concerns only the caller. */
  readonly isForAll?: boolean
  /** A member may do it too. */
  readonly isForMembers?: boolean
}
