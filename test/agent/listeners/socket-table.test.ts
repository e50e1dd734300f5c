import { describe, expect, it } from '@jest/globals'
import { parseHexAddress } from '../../../agent/src/listeners/ip-address.js'
import { parseSockets } from '../../../agent/src/listeners/socket-table.js'
import { socketLine, socketTable } from './proc-tree.js'

describe('an address of the kernel', () => {
  it.each([
    ['00000000', '0.0.0.0'],
    ['0100007F', '127.0.0.1'],
    ['3500A8C0', '192.168.0.53'],
    ['00000000000000000000000000000000', '::'],
    ['00000000000000000000000001000000', '::1'],
    ['0000000000000000FFFF00000100007F', '::ffff:127.0.0.1'],
    ['000080FE00000000FF005450B00E12FE', 'fe80::5054:ff:fe12:eb0'],
    ['B80D0120000000000000000001000000', '2001:db8::1'],
    ['B80D0120010000000000000001000000', '2001:db8:0:1::1'],
    ['B80D0120010002000300040005000600', '2001:db8:2:1:4:3:6:5']
  ])('%s is %s', (hex, address) => {
    expect(parseHexAddress(hex, true)).toBe(address)
  })

  it('has the bytes in their order on a big-endian machine', () => {
    expect(parseHexAddress('7F000001', false)).toBe('127.0.0.1')
    expect(parseHexAddress('FE80000000000000505400FFFE120EB0', false)).toBe('fe80::5054:ff:fe12:eb0')
  })

  it.each(['', '0100007', '0100007G', '010000'])('is not %j', hex => {
    expect(parseHexAddress(hex, true)).toBeNull()
  })
})

describe('a table of sockets', () => {
  const LISTEN = '0A'
  const UNCONNECTED = '07'

  it('has those of TCP that listen', () => {
    const text = socketTable(
      socketLine('0100007F:1F90', LISTEN, 11),
      socketLine('0100007F:1F90', '01', 12),
      socketLine('0100007F:D431', UNCONNECTED, 13)
    )
    expect(parseSockets(text, 'tcp', true)).toEqual([{ protocol: 'tcp', address: '127.0.0.1', port: 8080, inode: '11' }])
  })

  it('has those of UDP that are bound and not connected', () => {
    const text = socketTable(
      socketLine(`${'0'.repeat(32)}:0035`, UNCONNECTED, 21),
      socketLine('0100007F:0035', '01', 22),
      socketLine('0100007F:0000', UNCONNECTED, 23)
    )
    expect(parseSockets(text, 'udp', true)).toEqual([{ protocol: 'udp', address: '::', port: 53, inode: '21' }])
  })

  it.each(['', 'no table', socketTable('   0: 0100007F 00000000:0000 0A'), socketTable('   0: 01:1F90 0:0 0A 0 0 0 0 0 x')])(
    'that is not one, %j, has none',
    text => {
      expect(parseSockets(text, 'tcp', true)).toEqual([])
    }
  )
})
