import { isIPv6 } from 'node:net'

/** The networks that an address is counted by. */
export interface AddressPrefixes {
  /** An IPv4 address, or the /64 of an IPv6 address: what one customer of a provider has at least. */
  readonly network: string
  /** The /48 of an IPv6 address, the largest that providers give to one customer; null for IPv4. */
  readonly site: string | null
}

const MAPPED_IPV4 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i
const GROUPS = 8
const NETWORK_GROUPS = 4
const SITE_GROUPS = 3

function expand(address: string): readonly string[] {
  const [head = '', tail] = address.split('::', 2)
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  // An IPv4 suffix (`64:ff9b::192.0.2.1`) takes two groups; its digits are beyond the prefixes of interest.
  const taken = left.length + right.length + (address.includes('.') ? 1 : 0)
  const gap = tail === undefined ? 0 : Math.max(0, GROUPS - taken)
  return [...left, ...Array.from({ length: gap }, () => '0'), ...right].map(group => Number.parseInt(group, 16).toString(16))
}

/** The networks to count `address` by; what is not an IP address counts as itself. */
export function addressPrefixes(address: string): AddressPrefixes {
  const plain = address.split('%', 1)[0]!
  const mapped = MAPPED_IPV4.exec(plain)
  if (mapped) return { network: mapped[1]!, site: null }
  if (!isIPv6(plain)) return { network: plain, site: null }
  const groups = expand(plain)
  return {
    network: `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`,
    site: `${groups.slice(0, SITE_GROUPS).join(':')}::/48`
  }
}
