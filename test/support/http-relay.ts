import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that was passed on, and the response to it. */
export interface RelayedRequest {
  readonly path: string
  readonly body: string
  readonly status: number
}

/** A relay in front of an HTTP server, so that a test knows when that server has responded. */
export interface HttpRelay {
  readonly url: string
  /** The request number `index`, from 0, once the server has responded to it. */
  responded(index: number): Promise<RelayedRequest>
  close(): Promise<void>
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** Passes requests on to the same path of `target`. */
export async function openHttpRelay(target: string): Promise<HttpRelay> {
  const passed: RelayedRequest[] = []
  const looks = new Set<() => void>()
  const server = createServer((request, response) => {
    void (async () => {
      const path = request.url ?? '/'
      const body = await bodyOf(request)
      const headers = { 'content-type': request.headers['content-type'] ?? 'application/json' }
      const result = await fetch(new URL(path, target), { method: request.method ?? 'POST', headers, body })
      response.writeHead(result.status).end(await result.text())
      passed.push({ path, body, status: result.status })
      for (const look of looks) look()
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    responded: index =>
      new Promise(resolve => {
        const look = (): void => {
          if (passed.length <= index) return
          looks.delete(look)
          resolve(passed[index]!)
        }
        looks.add(look)
        look()
      }),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
  }
}
