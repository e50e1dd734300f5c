import { EventEmitter } from 'node:events'
import { describe, expect, it } from '@jest/globals'
import { ConnectionLimit, type CountedSocket } from '../../../src/http/connection-limit.js'

/** A connection from an address. */
class FakeSocket extends EventEmitter {
  readonly remoteAddress: string
  isDestroyed = false

  constructor(remoteAddress: string) {
    super()
    this.remoteAddress = remoteAddress
  }

  destroy(): void {
    this.isDestroyed = true
    this.emit('close')
  }
}

function opening(limit: ConnectionLimit): (address: string) => FakeSocket {
  return address => {
    const socket = new FakeSocket(address)
    limit.admit(socket as unknown as CountedSocket)
    return socket
  }
}

describe('the limit of connections', () => {
  it('closes what an address opens beyond it, and admits again when one has closed', () => {
    const limit = new ConnectionLimit({ perNetwork: 2, trustedProxies: [] })
    const open = opening(limit)
    const [first, second, third] = [open('192.0.2.1'), open('192.0.2.1'), open('192.0.2.1')]
    expect([first, second, third].map(({ isDestroyed }) => isDestroyed)).toEqual([false, false, true])
    expect(open('192.0.2.2').isDestroyed).toBe(false)
    expect(limit.state).toEqual({ open: 3, refused: 1 })
    first.destroy()
    expect(open('192.0.2.1').isDestroyed).toBe(false)
    expect(limit.state).toEqual({ open: 3, refused: 1 })
  })

  it.each([
    ['an IPv4 address and the IPv6 form of it', '192.0.2.1', '::ffff:192.0.2.1', true],
    ['two addresses of an IPv6 /64', '2001:db8::1', '2001:db8::ffff:2', true],
    ['two IPv6 /64', '2001:db8::1', '2001:db8:0:1::1', false]
  ])('counts %s', (_name, first, second, isOne) => {
    const open = opening(new ConnectionLimit({ perNetwork: 1, trustedProxies: [] }))
    open(first)
    expect(open(second).isDestroyed).toBe(isOne)
  })

  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.0/24', '::ffff:192.0.2.9'],
    ['2001:db8::/32', '2001:db8::1'],
    ['loopback', '127.0.0.5'],
    ['loopback', '::1'],
    ['linklocal', 'fe80::1%eth0'],
    ['uniquelocal', '172.20.0.3']
  ])('does not limit a trusted proxy: %s', (proxy, address) => {
    const limit = new ConnectionLimit({ perNetwork: 1, trustedProxies: ['203.0.113.1', proxy] })
    const open = opening(limit)
    expect([open(address), open(address)].some(({ isDestroyed }) => isDestroyed)).toBe(false)
    expect(limit.state).toEqual({ open: 2, refused: 0 })
    expect([open('198.51.100.1'), open('198.51.100.1')].map(({ isDestroyed }) => isDestroyed)).toEqual([false, true])
  })
})
