import { isIP } from 'node:net'
import { isBlockedAddress, isMetadataAddress, Networks } from './blocked-addresses.js'

/** Internal targets that the operator allows, from the setting `webhook_allow`: addresses, networks and host names. */
export class AllowedTargets {
  readonly #networks: Networks
  readonly #addresses: Networks
  readonly #hosts: ReadonlySet<string>
  readonly #hasNetworks: boolean

  constructor(entries: readonly string[]) {
    const isAddress = (entry: string): boolean => isIP(entry.split('/')[0]!) > 0
    const addresses = entries.filter(isAddress)
    this.#networks = new Networks(addresses)
    this.#hasNetworks = addresses.length > 0
    this.#addresses = new Networks(addresses.filter(isSingle))
    this.#hosts = new Set(entries.filter(entry => !isAddress(entry)).map(normalHost))
  }

  /** Whether the name itself is allowed, whatever it resolves to. */
  hasHost(host: string): boolean {
    return this.#hosts.has(normalHost(host))
  }

  /** Whether an address of the host could be an allowed one; its addresses decide. */
  mayAllow(host: string): boolean {
    return this.#hasNetworks || this.hasHost(host)
  }

  /**
   * Whether a connection to the address is allowed: it is public, or the operator allows it or the host. A metadata service
   * is allowed by its very address alone.
   */
  allows(host: string, address: string): boolean {
    if (isIP(address) === 0 || address.includes('%')) return false
    if (isMetadataAddress(address)) return this.#addresses.has(address)
    return !isBlockedAddress(address) || this.isInternal(host, address)
  }

  /** Whether the operator allows the host or the address; only such targets may be reached by http. */
  isInternal(host: string, address: string): boolean {
    return this.hasHost(host) || this.#networks.has(address)
  }
}

function isSingle(entry: string): boolean {
  const [address = '', bits] = entry.split('/')
  return bits === undefined || Number(bits) === (isIP(address) === 4 ? 32 : 128)
}

function normalHost(host: string): string {
  return host.toLowerCase().replace(/\.$/, '')
}
