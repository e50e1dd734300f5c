import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type ReadingService, startReadingService } from '../support/reading-service.js'

let service: ReadingService

const string = (key: string, value: string) => ({ key, value: { stringValue: value } })

/** An OTLP request of one log with these resource attributes. */
function otlpLog(message: string, ...attributes: readonly object[]): object {
  const timeUnixNano = `${Date.now() - 1000}000000`
  const scopeLogs = [{ logRecords: [{ timeUnixNano, body: { stringValue: message } }] }]
  return { resourceLogs: [{ resource: { attributes }, scopeLogs }] }
}

const send = async (path: string, json: object) =>
  service.ok(service.ingest(path, { method: 'POST', json, headers: { 'x-api-key': service.first.ingestKey } }))

beforeAll(async () => {
  service = await startReadingService()
  await service.write('/api/v1/logs/batch', {
    logs: [
      { message: 'own', environment: 'production' },
      { msg: 'of ECS', service: { environment: 'staging', name: 'web' } },
      { message: 'none', log_fields: { environment: 'production' } },
      { message: 'free', service: 'cart', log_fields: { environment: 'qa' } }
    ]
  })
  const both = [string('deployment.environment', 'older'), string('deployment.environment.name', 'production')]
  await send('/api/v1/otlp/v1/logs', otlpLog('of OTLP', ...both))
  await send('/api/v1/otlp/v1/logs', otlpLog('of older OTLP', string('deployment.environment', 'staging')))
  await service.settle()
})
afterAll(() => service.close())

async function found(body: object): Promise<readonly unknown[]> {
  const { logs } = await service.ok(service.post('/api/v1/logs/query', body))
  return (logs as { message: string; environment: string | null }[])
    .map(({ message, environment }) => [message, environment])
    .sort(([a], [b]) => (a! < b! ? -1 : 1))
}

const PRODUCTION = [
  ['of OTLP', 'production'],
  ['own', 'production']
]

describe('the environment of a log', () => {
  it('comes from its member, from other loggers, and from either attribute of OTLP', async () => {
    expect(await found({})).toEqual([
      ['free', null],
      ['none', null],
      ['of ECS', 'staging'],
      ['of OTLP', 'production'],
      ['of older OTLP', 'staging'],
      ['own', 'production']
    ])
  })

  it('is a parameter, a field of filters and a field of the search language', async () => {
    expect(await found({ environment: 'production' })).toEqual(PRODUCTION)
    expect(await found({ filters: [{ field: 'environment', op: 'prefix', value: 'prod' }] })).toEqual(PRODUCTION)
    expect(await found({ query: 'environment:production' })).toEqual(PRODUCTION)
    expect(await found({ query: 'log_fields.environment:production' })).toEqual([['none', null]])
  })

  it('is a facet that is chosen by itself', async () => {
    const { facets } = await service.ok(service.post('/api/v1/logs/facets', {}))
    expect(facets).toContainEqual(
      expect.objectContaining({
        field: 'environment',
        missing: 2,
        values: [
          { value: 'production', count: 2, selected: false },
          { value: 'staging', count: 2, selected: false }
        ]
      })
    )
  })

  it('is in GraphQL', async () => {
    const query =
      '{ logs(range: { from: "now-1h" }, filter: { environments: ["production"] }) { nodes { message environment } } }'
    const { data } = await service.ok(service.post('/graphql', { query }))
    const { logs } = data as { logs: { nodes: { message: string }[] } }
    expect(logs.nodes.sort((a, b) => (a.message < b.message ? -1 : 1))).toEqual(
      PRODUCTION.map(([message, environment]) => ({ message, environment }))
    )
  })

  it('is shown by a dry run, once', async () => {
    const response = await send('/api/v1/logs?dry_run=true', { message: 'm', environment: 'qa' })
    expect(JSON.stringify(response)).toContain('"environment":"qa"')
    expect(JSON.stringify(response)).not.toContain('log_fields')
  })
})
