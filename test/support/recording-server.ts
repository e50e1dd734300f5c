import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as it came over the wire; headers only as far as they matter. */
export interface RecordedRequest {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  /** Parsed when it is JSON, else the text. */
  readonly body: unknown
}

export interface Reply {
  readonly status: number
  readonly body?: object | string
}

export interface RecordingServer {
  readonly url: string
  /** The requests since the last call. */
  taken(): readonly RecordedRequest[]
  close(): Promise<void>
}

const KEPT_HEADERS = ['accept', 'accept-encoding', 'authorization', 'content-type'] as const

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

async function record(request: IncomingMessage): Promise<RecordedRequest> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://recorder')
  const text = await textOf(request)
  const isJson = request.headers['content-type']?.startsWith('application/json') === true && text !== ''
  const headers = KEPT_HEADERS.flatMap(name => (request.headers[name] === undefined ? [] : [[name, request.headers[name]]]))
  return {
    method: request.method ?? '',
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: isJson ? (JSON.parse(text) as unknown) : text
  }
}

/** Notes its requests and responds with what `result` returns. */
export async function openRecordingServer(result: (request: RecordedRequest) => Reply): Promise<RecordingServer> {
  let requests: RecordedRequest[] = []
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const recorded = await record(request)
    requests.push(recorded)
    const { status, body } = result(recorded)
    response.statusCode = status
    if (typeof body === 'object') response.setHeader('content-type', 'application/json')
    response.end(typeof body === 'object' ? JSON.stringify(body) : body)
  }
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken: () => {
      const taken = requests
      requests = []
      return taken
    },
    close: () => {
      server.closeAllConnections()
      return new Promise(resolve => server.close(() => resolve()))
    }
  }
}
