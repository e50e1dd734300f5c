import { isIPv6 } from 'node:net'
import type { Principal } from '../domain/principal.js'
import type { BudgetCaller } from '../ingest/byte-budget.js'

/** Groups of an IPv6 address that one customer of a provider has to himself: /64. */
const IPV6_GROUPS = 4

/** The address as the budget counts it: of IPv6 the network. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.toLowerCase().split('::')
  const first = head === '' ? [] : head.split(':')
  const missing = tail === undefined ? 0 : 8 - first.length - (tail === '' ? 0 : tail.split(':').length)
  const groups = [...first, ...Array<string>(missing).fill('0'), ...(tail ? tail.split(':') : [])]
  return groups.slice(0, IPV6_GROUPS).join(':')
}

/** Whose share of the budget a body takes; before the caller is known, that of the address. */
export function budgetCallerOf(principal: Principal | null, address: string): BudgetCaller {
  if (principal === null) return { kind: 'anonymous', group: networkOf(address), id: '' }
  if (principal.kind === 'user') return { kind: 'principal', group: principal.activeNamespace, id: principal.userId }
  const group = principal.namespaces[0] ?? principal.keyId
  // Anybody can read the key of a page: it must not shut out its other visitors.
  if (principal.keyKind === 'rum') return { kind: 'browser', group, id: `${principal.keyId} ${networkOf(address)}` }
  return { kind: 'principal', group, id: principal.keyId }
}
