import type { Server as HttpServer } from 'node:http'
import { BlockList, isIPv6, type Server, type Socket } from 'node:net'
import { addressPrefixes } from '../access/address-prefix.js'

/** The networks that `trusted_proxies` may name (`proxy-addr` names them so, too). */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']
}
const MAPPED_IPV4 = /^::ffff:(?=\d+\.)/i

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4')

function listOf(proxies: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of proxies.flatMap(proxy => GROUPS[proxy] ?? [proxy])) {
    const [address = '', bits] = network.split('/')
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return list
}

/** Bounds of a `ConnectionLimit`. */
export interface ConnectionBounds {
  /** Open connections of an IPv4 address or an IPv6 /64. */
  readonly perNetwork: number
  /** Addresses and networks whose connections are not limited: each carries many clients. */
  readonly trustedProxies: readonly string[]
}

/** What is open and was refused. */
export interface ConnectionState {
  readonly open: number
  readonly refused: number
}

/** The part of a connection that is counted. */
export type CountedSocket = Pick<Socket, 'remoteAddress' | 'once' | 'destroy'>

/**
 * Limits the open connections of an address over all ports, HTTP and gRPC. A connection over the limit is closed before
 * a byte of it is read: each open one holds memory and a file descriptor, whatever it sends.
 */
export class ConnectionLimit {
  readonly #perNetwork: number
  readonly #exempt: BlockList
  readonly #open = new Map<string, number>()
  /** Connections that a server is given again are counted once. */
  readonly #counted = new WeakSet<CountedSocket>()
  #all = 0
  #refused = 0

  constructor({ perNetwork, trustedProxies }: ConnectionBounds) {
    this.#perNetwork = perNetwork
    this.#exempt = listOf(trustedProxies)
  }

  get state(): ConnectionState {
    return { open: this.#all, refused: this.#refused }
  }

  /** Counts the connection until it closes; false, and it is closed, when its address has too many. */
  admit(socket: CountedSocket): boolean {
    if (this.#counted.has(socket)) return true
    const address = socket.remoteAddress?.replace(MAPPED_IPV4, '')
    const network = address === undefined ? '' : addressPrefixes(address).network
    const own = this.#open.get(network) ?? 0
    if (own >= this.#perNetwork && !this.#isExempt(address)) {
      this.#refused++
      socket.destroy()
      return false
    }
    this.#counted.add(socket)
    this.#all++
    this.#open.set(network, own + 1)
    socket.once('close', () => this.#closed(network))
    return true
  }

  /** Limits the connections of a server that has not begun to listen. */
  guard(server: HttpServer): void {
    const listeners = server.listeners('connection') as ((this: Server, socket: Socket) => void)[]
    server.removeAllListeners('connection')
    server.on('connection', (socket: Socket) => {
      if (this.admit(socket)) for (const listener of listeners) listener.call(server, socket)
    })
  }

  /** An address that is gone already (`undefined`) is that of a connection which has closed. */
  #isExempt(address: string | undefined): boolean {
    return address !== undefined && this.#exempt.check(address.split('%', 1)[0]!, familyOf(address))
  }

  #closed(network: string): void {
    this.#all--
    const left = this.#open.get(network)! - 1
    if (left === 0) this.#open.delete(network)
    else this.#open.set(network, left)
  }
}
