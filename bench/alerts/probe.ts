import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { MadeNamespace } from '../service/session.js'
import type { AlertSite } from './alert-site.js'

/** A rule that fires every 20 s in a namespace of its own, and the receiver of its notifications. */
export interface Probe {
  /** Milliseconds from the steps at which the rule fired to the first byte at the receiver. */
  readonly delaysMs: readonly number[]
  close(): Promise<void>
}

/** Stores the rule of a probe, with its channel and its route. */
export async function openProbe(site: AlertSite, namespace: MadeNamespace): Promise<Probe> {
  const delaysMs: number[] = []
  const server = createServer((request, response) => {
    const arrivedMs = Date.now()
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { data } = JSON.parse(Buffer.concat(chunks).toString()) as {
        data: { alerts: { status: string; startsAt: string }[] }
      }
      for (const { status, startsAt } of data.alerts) if (status === 'firing') delaysMs.push(arrivedMs - Date.parse(startsAt))
      response.writeHead(204).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  await site.call(namespace, 'POST', '/api/v1/channels', { name: 'probe', kind: 'webhook', target, events: ['alert.firing'] })
  const route = { channels: ['probe'], group_wait: '0s', group_interval: '10s', repeat_interval: '1d' }
  await site.call(namespace, 'PUT', '/api/v1/routing', { version: 0, document: { route } })
  const { id } = await site.call<{ id: string }>(namespace, 'POST', '/api/v1/alerts/groups', { name: 'probe', interval: '10s' })
  for (let n = 0; n < 10; n++) {
    const rule = { alert: `Probe${n}`, expr: 'vector(time()) % 20 < 10', group_id: id }
    await site.call(namespace, 'POST', '/api/v1/alerts/rules', rule)
  }
  return {
    delaysMs,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
  }
}
