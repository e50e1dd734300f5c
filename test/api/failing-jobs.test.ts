import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { pino } from 'pino'
import type { RunningService } from '../support/running-service.js'
import { startService } from '../support/running-service.js'
import { IS_MANAGED } from '../support/service-profile.js'

/** Log lines of the service, and a promise for the next one with a message. */
class LogLines {
  readonly #waiting: { readonly message: string; resolve(line: Record<string, unknown>): void }[] = []
  readonly logger = pino({ level: 'info' }, { write: text => this.#note(JSON.parse(text) as Record<string, unknown>) })

  next(message: string): Promise<Record<string, unknown>> {
    return new Promise(resolve => this.#waiting.push({ message, resolve }))
  }

  #note(line: Record<string, unknown>): void {
    const found = this.#waiting.findIndex(({ message }) => message === line['msg'])
    if (found >= 0) this.#waiting.splice(found, 1)[0]!.resolve(line)
  }
}

const describeEmbedded = IS_MANAGED ? describe.skip : describe

describeEmbedded('sealing that fails', () => {
  const lines = new LogLines()
  let service: RunningService
  beforeAll(async () => {
    service = await startService({
      app: { logger: lines.logger, storeLimits: { sealRows: 1, minSegmentRows: 1, upkeepIntervalMs: 50 } }
    })
  })
  afterAll(() => service?.close())

  it('is logged, degrades health and is counted, until it succeeds again', async () => {
    const segments = join(service.dataDir, 'telemetry', 'segments')
    await rename(segments, `${segments}-away`)
    await writeFile(segments, 'in the way')
    const isRepeated = lines.next('background job failed repeatedly')
    const sent = { method: 'POST', json: { message: 'to be sealed' }, headers: { 'x-api-key': service.first.ingestKey } }
    expect((await service.ingest('/api/v1/logs', sent)).status).toBe(200)

    expect(await isRepeated).toMatchObject({ level: 50, job: 'segment_seal', failures: 2 })
    const degraded = await service.api('/health/ready')
    const [failing, ...others] = degraded.json['failing_jobs'] as { job: string; failures: number; failing_since: string }[]
    expect([degraded.status, degraded.json['status'], failing!.job, others]).toEqual([200, 'degraded', 'segment_seal', []])
    expect(failing!.failures).toBeGreaterThanOrEqual(2)
    const auth = await service.login()
    const query = { query: '{ failingJobs { job failures failingSince } }' }
    const { json } = await service.api('/graphql', { method: 'POST', json: query, headers: auth })
    expect(json).toMatchObject({ data: { failingJobs: [{ job: 'segment_seal', failingSince: failing!.failing_since }] } })
    expect((await service.api('/metrics')).text).toMatch(/^alidade_background_job_failures_total\{job="segment_seal"\} [1-9]/m)

    const hasRecovered = lines.next('background job recovered')
    await rm(segments)
    await rename(`${segments}-away`, segments)
    expect(await hasRecovered).toMatchObject({ level: 30, job: 'segment_seal' })
    expect((await service.api('/health/ready')).json).toMatchObject({ status: 'ready', failing_jobs: [] })
  })
})
