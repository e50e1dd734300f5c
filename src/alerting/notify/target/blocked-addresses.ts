import { BlockList, isIP } from 'node:net'

// Separate lists: a BlockList compares an IPv4 address with the IPv6 subnets of mapped addresses as well.

/** IPv4 networks that are not the public internet. Source: IANA IPv4 Special-Purpose Address Registry, multicast, class E. */
const BLOCKED_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4'
]
/**
 * IPv6 networks that are not the public internet, or that carry an IPv4 address: compatible, mapped, NAT64, Teredo, 6to4.
 * Source: IANA IPv6 Special-Purpose Address Registry, multicast, site-local.
 */
const BLOCKED_V6 = [
  '::/96',
  '::ffff:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8'
]
/**
 * Addresses at which clouds hand credentials to their machines: AWS, Google, Azure and others; AWS of containers; Azure's
 * host; Alibaba; AWS over IPv6. A network that contains them does not allow them.
 */
const METADATA = [
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '168.63.129.16',
  '100.100.100.200',
  'fd00:ec2::254',
  'fd00:ec2::23'
]

/** Networks of both families. */
export class Networks {
  readonly #v4 = new BlockList()
  readonly #v6 = new BlockList()

  /** @param networks addresses or networks such as `10.0.0.0/8`. */
  constructor(networks: readonly string[]) {
    for (const network of networks) this.#add(network)
  }

  /** Whether an address in its usual spelling is in one of the networks. */
  has(address: string): boolean {
    return isIP(address) === 4 ? this.#v4.check(address, 'ipv4') : this.#v6.check(address, 'ipv6')
  }

  #add(network: string): void {
    const [address = '', bits] = network.split('/')
    const [list, family, whole] = isIP(address) === 4 ? ([this.#v4, 'ipv4', 32] as const) : ([this.#v6, 'ipv6', 128] as const)
    list.addSubnet(address, bits === undefined ? whole : Number(bits), family)
  }
}

const BLOCKED = new Networks([...BLOCKED_V4, ...BLOCKED_V6])
const METADATA_ADDRESSES = new Networks(METADATA)

/** Whether an address is not of the public internet, so that only a setting opens it. */
export function isBlockedAddress(address: string): boolean {
  return BLOCKED.has(address) || METADATA_ADDRESSES.has(address)
}

/** Whether an address is that of a metadata service, which only its very address in a setting opens. */
export function isMetadataAddress(address: string): boolean {
  return METADATA_ADDRESSES.has(address)
}
