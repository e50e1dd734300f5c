import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { FaultLog } from '../fault-log.js'
import { type AgentStatus, statusJson, statusMetrics } from './agent-status.js'

/** Only this machine may look. */
const ADDRESS = '127.0.0.1'
/** Names under which a local client knows the address: pages of other sites reach it by names of their own. */
const LOCAL = /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/

/** Dependencies of the status port. */
export interface StatusRunOptions {
  readonly status: () => Promise<AgentStatus>
  readonly faults: FaultLog
  readonly signal: AbortSignal
}

interface Page {
  readonly status: number
  readonly type: string
  readonly body: string
}

function json(status: number, value: unknown): Page {
  return { status, type: 'application/json', body: `${JSON.stringify(value)}\n` }
}

async function pageOf({ method, url, headers }: IncomingMessage, status: StatusRunOptions['status']): Promise<Page> {
  if (!LOCAL.test(headers.host ?? '')) return json(403, { detail: 'Host must be 127.0.0.1 or localhost' })
  if (method !== 'GET') return json(405, { detail: 'send GET' })
  switch (url) {
    case '/health': {
      const { fault } = await status()
      return fault === null ? json(200, { status: 'ok' }) : json(503, { status: 'failing', detail: fault.text })
    }
    case '/status':
      return json(200, statusJson(await status()))
    case '/metrics':
      return { status: 200, type: 'text/plain; version=0.0.4', body: statusMetrics(await status()) }
    default:
      return json(404, { detail: 'the paths are /health, /status and /metrics' })
  }
}

/** Serves `/health`, `/status` and `/metrics` to this machine until the signal. A port that is taken stops nothing else. */
export async function runStatus({ port, status, faults, signal }: StatusRunOptions & { readonly port: number }): Promise<void> {
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const page = await pageOf(request, status).catch((error: unknown) => json(500, { detail: String(error) }))
    response.writeHead(page.status, { 'content-type': page.type }).end(page.body)
  }
  const server = createServer((request, response) => void reply(request, response))
  server.on('error', error => faults.report('status not served', String(port), { port, err: error.message }))
  server.listen(port, ADDRESS)
  if (!signal.aborted) await once(signal, 'abort')
  server.close()
  server.closeAllConnections()
}
