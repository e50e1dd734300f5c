import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that a receiver got. */
export interface ReceivedHook {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** How a receiver responds; `close` cuts the connection, `hang` sends nothing. */
export type HookReply =
  | number
  | 'close'
  | 'hang'
  | { readonly status: number; readonly headers: Readonly<Record<string, string>> }

/** A receiver of webhooks on loopback. */
export interface WebhookReceiver {
  readonly url: string
  /** All requests in the order of their arrival. */
  readonly received: readonly ReceivedHook[]
  /** Replies to the next requests, in order; 204 afterwards. */
  plan(...replies: readonly HookReply[]): void
  /** Resolves with the request number `index`, from 0, when it has arrived. */
  request(index: number): Promise<ReceivedHook>
  /** Resolves when the requests so far fulfil a condition, which is tested at each arrival. */
  until(isMet: (received: readonly ReceivedHook[]) => boolean): Promise<void>
  close(): Promise<void>
}

function headersOf(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

function reply(response: ServerResponse, planned: HookReply): void {
  if (planned === 'hang') return
  if (planned === 'close') return void response.socket?.destroy()
  const { status, headers } = typeof planned === 'number' ? { status: planned, headers: {} } : planned
  response.writeHead(status, headers).end()
}

/** Opens a receiver; close it when the test is done. */
export async function openWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedHook[] = []
  const planned: HookReply[] = []
  const waiting = new Set<() => void>()
  const until: WebhookReceiver['until'] = isMet =>
    new Promise(resolve => {
      const look = (): void => {
        if (!isMet(received)) return
        waiting.delete(look)
        resolve()
      }
      waiting.add(look)
      look()
    })
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: headersOf(request.headers), body: Buffer.concat(chunks).toString() })
      reply(response, planned.shift() ?? 204)
      for (const look of waiting) look()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    plan: (...replies) => void planned.push(...replies),
    request: async index => {
      await until(({ length }) => length > index)
      return received[index]!
    },
    until,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
  }
}
