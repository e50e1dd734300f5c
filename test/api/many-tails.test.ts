import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type ReadingService, startReadingService } from '../support/reading-service.js'
import { SocketClient } from '../support/socket-client.js'

const TAILS = 200
const BATCHES = 2
const LOGS = 50

let service: ReadingService
beforeAll(async () => {
  service = await startReadingService()
})
afterAll(() => service?.close())

describe('two hundred tails of one namespace', () => {
  it('of one user have each log, whether they read all or few', async () => {
    const clients = await Promise.all(Array.from({ length: TAILS }, () => SocketClient.open(service.url, service.session)))
    for (const [i, client] of clients.entries()) await client.follow(i % 2 === 0 ? {} : { filter: { query: `"of ${i % 10}"` } })
    for (let batch = 0; batch < BATCHES; batch++) {
      const logs = Array.from({ length: LOGS }, (_, i) => ({ message: `log ${batch} of ${i % 10}` }))
      await service.write('/api/v1/logs/batch', { logs })
    }
    const counts = await Promise.all(
      clients.map(async (client, i) => (await client.records(i % 2 === 0 ? BATCHES * LOGS : (BATCHES * LOGS) / 10)).length)
    )
    expect(counts).toEqual(clients.map((_, i) => (i % 2 === 0 ? BATCHES * LOGS : (BATCHES * LOGS) / 10)))
    await Promise.all(clients.map(client => client.close()))
  }, 60_000)
})
