import { addressPrefixes } from '../access/address-prefix.js'
import type { Principal } from '../domain/principal.js'
import type { BudgetCaller } from '../ingest/byte-budget.js'

/**
 * Whose share of the budget a body takes; before the caller is known, that of the address (`ip`, read only where it counts).
 */
export function budgetCallerOf(principal: Principal | null, client: { readonly ip: string }): BudgetCaller {
  // Of IPv6 the /64: what one customer of a provider has to himself.
  const network = (): string => addressPrefixes(client.ip).network
  if (principal === null) return { kind: 'anonymous', group: network(), id: '' }
  if (principal.kind === 'user') return { kind: 'principal', group: principal.activeNamespace, id: principal.userId }
  const group = principal.namespaces[0] ?? principal.keyId
  // Anybody can read the key of a page: it must not shut out its other visitors.
  if (principal.keyKind === 'rum') return { kind: 'browser', group, id: `${principal.keyId} ${network()}` }
  return { kind: 'principal', group, id: principal.keyId }
}
