import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIP } from 'node:net'

const HEADER_BYTES = 12
const TYPE_A = 1
const TYPE_AAAA = 28
const NO_SUCH_NAME = 3
const SERVER_FAILURE = 2

/** What a name server knows of a name; `silent` never responds to queries for it. */
export type NamePlan = readonly string[] | 'silent' | 'failure'

/** A name server on loopback that a test scripts. */
export interface NameServer {
  readonly address: string
  /** Queries in the order of their arrival: type and name. */
  readonly queries: readonly string[]
  /** Plans of names: each query for a name and type takes the next one, and the last one stays. Others do not exist. */
  plan(name: string, ...plans: readonly NamePlan[]): void
  /** Resolves when the query number `index`, from 0, has arrived. */
  arrived(index: number): Promise<void>
  close(): Promise<void>
}

interface DnsQuery {
  readonly name: string
  readonly type: number
  /** Bytes of the message up to the end of the query. */
  readonly end: number
}

function queryOf(message: Buffer): DnsQuery {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = message[at]!; length > 0; length = message[at]!) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number))
  const [head = '', tail = ''] = address.split('::')
  const words = (part: string): readonly string[] => part.split(':').filter(word => word !== '')
  const zeros = Array<string>(8 - words(head).length - words(tail).length).fill('0')
  return Buffer.from([...words(head), ...zeros, ...words(tail)].map(word => word.padStart(4, '0')).join(''), 'hex')
}

/** A reply with the addresses of the type of the query (RFC 1035, section 4). */
function replyTo(message: Buffer, { type, end }: DnsQuery, plan: Exclude<NamePlan, 'silent'> | null): Buffer {
  const addresses = typeof plan === 'string' || plan === null ? [] : plan.filter(one => isIP(one) === (type === TYPE_A ? 4 : 6))
  const query = Buffer.from(message.subarray(0, end))
  const code = plan === null ? NO_SUCH_NAME : plan === 'failure' ? SERVER_FAILURE : 0
  query.writeUInt16BE(0x8180 | code, 2)
  query.writeUInt16BE(1, 4)
  query.writeUInt16BE(addresses.length, 6)
  query.writeUInt32BE(0, 8)
  const records = addresses.map(address => {
    const data = addressBytes(address)
    const head = Buffer.alloc(12)
    head.writeUInt16BE(0xc000 | HEADER_BYTES, 0)
    head.writeUInt16BE(type, 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(data.length, 10)
    return Buffer.concat([head, data])
  })
  return Buffer.concat([query, ...records])
}

/** Opens a name server; close it when the test is done. */
export async function openNameServer(): Promise<NameServer> {
  const socket = createSocket('udp4')
  const plans = new Map<string, NamePlan[]>()
  const queries: string[] = []
  const waiting: { readonly index: number; readonly resolve: () => void }[] = []
  const nextPlan = (name: string, type: number): NamePlan | null => {
    const own = plans.get(`${name} ${type}`)
    return (own && own.length > 1 ? own.shift() : own?.[0]) ?? null
  }
  socket.on('message', (message, { port, address }) => {
    const query = queryOf(message)
    queries.push(`${query.type === TYPE_A ? 'A' : 'AAAA'} ${query.name}`)
    const plan = nextPlan(query.name, query.type)
    if (plan !== 'silent') socket.send(replyTo(message, query, plan), port, address)
    for (const { index, resolve } of waiting) if (queries.length > index) resolve()
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    queries,
    plan: (name, ...own) => {
      for (const type of [TYPE_A, TYPE_AAAA]) plans.set(`${name} ${type}`, [...own])
    },
    arrived: index =>
      new Promise(resolve => {
        if (queries.length > index) resolve()
        else waiting.push({ index, resolve })
      }),
    close: async () => {
      socket.close()
      await once(socket, 'close')
    }
  }
}
