import { expect, it } from '@jest/globals'
import { startService } from '../support/running-service.js'
import { openTempFolder } from '../support/temp-folder.js'

const SENDERS = 8
const ACKS_BEFORE_STOP = 200

/** Sends logs one after the other until the service no longer responds; every acknowledged one is kept in `acked`. */
async function sendUntilRefused(url: string, key: string, sender: number, acked: string[]): Promise<void> {
  for (let i = 0; ; i++) {
    const message = `sender-${sender}-${i}`
    const headers = { 'content-type': 'application/json', 'x-api-key': key }
    const response = await fetch(`${url}/api/v1/logs`, { method: 'POST', headers, body: JSON.stringify({ message }) }).catch(
      () => null
    )
    if (!response) return
    await response.arrayBuffer().catch(() => undefined)
    if (response.status !== 200) throw new Error(`${message} returned ${response.status}`)
    acked.push(message)
  }
}

async function allMessages(service: Awaited<ReturnType<typeof startService>>, auth: Record<string, string>): Promise<string[]> {
  const messages: string[] = []
  let cursor: unknown
  do {
    const result = await service.api('/api/v1/logs/query', {
      method: 'POST',
      headers: auth,
      json: { limit: 5000, ...(cursor ? { cursor } : {}) }
    })
    for (const log of result.json['logs'] as { message: string }[]) messages.push(log.message)
    cursor = (result.json['page'] as { next_cursor: string | null }).next_cursor
  } while (cursor)
  return messages
}

it('stops under load with every acknowledged log kept once and the ledger written', async () => {
  const folder = await openTempFolder()
  try {
    // Connections that are kept alive must not delay a stop: with them it would take longer than a test has.
    const service = await startService({ dataDir: folder.path, flags: ['--stop-grace', '60s'] })
    const acked: string[] = []
    const senders = Array.from({ length: SENDERS }, (_, sender) =>
      sendUntilRefused(service.url, service.first.ingestKey, sender, acked)
    )
    const reached = new Promise<void>(resolve => {
      const push = acked.push.bind(acked)
      acked.push = (...items) => {
        if (acked.length >= ACKS_BEFORE_STOP) resolve()
        return push(...items)
      }
    })
    await reached
    await service.close()
    await Promise.all(senders)

    const again = await startService({ dataDir: folder.path })
    try {
      const auth = await again.login(service.first.email, service.first.password!)
      const stored = await allMessages(again, auth)
      const kept = new Set(stored)
      expect(acked.length).toBeGreaterThanOrEqual(ACKS_BEFORE_STOP)
      expect(acked.filter(message => !kept.has(message))).toEqual([])
      expect(stored).toHaveLength(kept.size)
      const usage = await again.api(`/api/v1/namespaces/${service.first.namespaceId}/usage`, { headers: auth })
      expect(JSON.stringify(usage.json)).toContain(`"stored":${stored.length}`)
    } finally {
      await again.close()
    }
  } finally {
    await folder.remove()
  }
})
