import { parseHexAddress } from './ip-address.js'

/** Protocols whose sockets are reported. */
export type Protocol = 'tcp' | 'udp'

/** A socket that waits for connections or datagrams. */
export interface ListeningSocket {
  readonly protocol: Protocol
  readonly address: string
  readonly port: number
  /** By which the files of processes name it; unique over all network namespaces. */
  readonly inode: string
}

/** `TCP_LISTEN`; a UDP socket that is bound and not connected has the state `TCP_CLOSE` (include/net/tcp_states.h). */
const STATE: Readonly<Record<Protocol, string>> = { tcp: '0A', udp: '07' }
const COLUMNS = { local: 1, state: 3, inode: 9 }

function parseSocket(line: string, protocol: Protocol, isLittleEndian: boolean): ListeningSocket | null {
  const columns = line.trim().split(/\s+/)
  if (columns[COLUMNS.state] !== STATE[protocol]) return null
  const [hex = '', portHex = ''] = (columns[COLUMNS.local] ?? '').split(':')
  const address = parseHexAddress(hex, isLittleEndian)
  const port = Number.parseInt(portHex, 16)
  const inode = columns[COLUMNS.inode] ?? ''
  if (address === null || !(port > 0 && port <= 65_535) || !/^\d+$/.test(inode)) return null
  return { protocol, address, port, inode }
}

/** Listening sockets of `/proc/net/tcp`, `tcp6`, `udp` or `udp6`: those that `ss -ltnu` shows. */
export function parseSockets(text: string, protocol: Protocol, isLittleEndian: boolean): readonly ListeningSocket[] {
  const lines = text.split('\n').slice(1)
  return lines.flatMap(line => parseSocket(line, protocol, isLittleEndian) ?? [])
}
