import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { asRecorded, atLastStep, resultOf } from '../compliance/results.js'
import { runCompliance, TIMES } from '../compliance/run.js'
import { CASES_FOLDER, complianceQueries, digestOf, pushComplianceData } from '../compliance/cases.js'
import { readRecording } from '../compliance/recording.js'
import { describeWithSuite, suiteNames } from '../support/suite-cases.js'
import { startReadingService, type ReadingService } from '../support/reading-service.js'

// The official compliance queries over HTTP against the responses of Prometheus 3.15 (test/compliance/record.ts).

const LOADING_MS = 120_000

describeWithSuite(CASES_FOLDER, 'compliance queries have the responses of Prometheus', () => {
  const queries = suiteNames('promql').length === 0 ? ['up'] : complianceQueries()
  const recorded = readRecording()
  let service: ReadingService
  let base: string
  beforeAll(async () => {
    service = await startReadingService({ flags: ['--rate-queries', '100000'] })
    const { namespace, ingestKey } = service.first
    const json = { retention: { metrics: 'forever' } }
    await service.ok(service.api(`/api/v1/namespaces/${namespace}`, { method: 'PATCH', headers: service.session, json }))
    await pushComplianceData(`${service.url}/api/v1/write`, { 'x-api-key': ingestKey })
    base = `${service.url}/prometheus`
  }, LOADING_MS)
  afterAll(() => service?.close())

  it('has a response on record for each', () => {
    expect(new Set(queries.map(digestOf))).toEqual(new Set(recorded.keys()))
  })

  it.each(queries)('%s', async query => {
    const expected = recorded.get(digestOf(query))!
    const range = resultOf(await runCompliance(base, query, 'range', service.session), TIMES)
    expect(asRecorded(range, expected)).toEqual(expected)
    const instant = resultOf(await runCompliance(base, query, 'instant', service.session), TIMES.slice(-1))
    expect(asRecorded(instant, atLastStep(expected))).toEqual(atLastStep(expected))
  })
})
