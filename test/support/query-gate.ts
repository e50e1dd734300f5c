import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A query that passed and has no response yet. */
export interface GatedQuery {
  /** Resolves when the asker ends its connection. */
  readonly givenUp: Promise<void>
}

/** A proxy of an InfluxDB that passes everything on, and responses to queries only while it is open. */
export interface QueryGate {
  readonly url: string
  /** From now on responses are held back. */
  shut(): void
  /** The next query that comes. */
  next(): Promise<GatedQuery>
  /** Releases responses, those held back too. */
  open(): void
  close(): Promise<void>
}

const QUERY = Buffer.from('POST /api/v2/query')

/** Listens on 127.0.0.1 in front of the server at `url`. */
export async function openQueryGate(url: string): Promise<QueryGate> {
  const { hostname, port } = new URL(url)
  const responses = new Set<Socket>()
  const waiting: ((query: GatedQuery) => void)[] = []
  let isShut = false
  const server = createServer(caller => {
    const response = connect(Number(port), hostname)
    const givenUp = new Promise<void>(resolve => caller.once('close', () => resolve()))
    responses.add(response)
    caller.on('data', chunk => {
      const isQuery = chunk.subarray(0, QUERY.length).equals(QUERY)
      if (isQuery && isShut) response.pause()
      response.write(chunk)
      if (isQuery) waiting.shift()?.({ givenUp })
    })
    response.on('data', chunk => caller.write(chunk))
    for (const [one, other] of [
      [caller, response],
      [response, caller]
    ] as const) {
      one.on('error', () => undefined)
      one.on('close', () => other.destroy())
    }
    response.on('close', () => responses.delete(response))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    shut: () => {
      isShut = true
    },
    next: () => new Promise(resolve => waiting.push(resolve)),
    open: () => {
      isShut = false
      for (const response of responses) response.resume()
    },
    close: () => {
      for (const response of responses) response.destroy()
      return new Promise(resolve => server.close(() => resolve()))
    }
  }
}
