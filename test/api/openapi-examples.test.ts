import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { ClockAhead } from '../support/clock-ahead.js'
import { DescribedApi } from '../support/described-api.js'
import { type RunningService, startService } from '../support/running-service.js'

/** Shortly after the times in the examples. */
const NOW_MS = Date.parse('2026-11-20T11:45:00Z')
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const ORIGIN = 'https://shop.example'
const FORMS = /Form$/

let service: RunningService
let api: DescribedApi

beforeAll(async () => {
  const clock = new ClockAhead()
  clock.aheadMs = NOW_MS - Date.now()
  service = await startService({ flags: ['--registration', 'open', '--rate-queries', '1000'], app: { clock } })
  api = await DescribedApi.of(service.url)
})
afterAll(async () => service?.close())

describe('every operation of the OpenAPI document', () => {
  it('has a summary and a description', () => {
    const missing = api.operations.filter(({ summary = '', description = '' }) => summary === '' || !description.endsWith('.'))
    expect(missing.map(({ operationId }) => operationId)).toEqual([])
    expect(api.operations.filter(({ summary }) => summary!.length > 60).map(({ summary }) => summary)).toEqual([])
  })

  it('has an example of its request and of its success response', () => {
    expect(api.withoutRequestExample()).toEqual([])
    expect(api.withoutReplyExample()).toEqual([])
  })

  it('has examples that agree with its schemas', () => {
    expect(api.invalidExamples()).toEqual([])
  })
})

describe('the examples of the OpenAPI document', () => {
  it('are what the service accepts and returns', async () => {
    const operator = await service.login()
    const ingest = { 'x-api-key': service.first.ingestKey }
    await identity(operator)
    await writes(ingest, operator)
    await service.settle()
    await alerts(operator)
    await slos(operator)
    await measures(operator)
    await views(operator)
    await notifications(operator)
    await reads(operator)
    expect(api.uncalled()).toEqual([])
    expect(api.differences).toEqual([])
  })
})

async function identity(operator: Readonly<Record<string, string>>): Promise<void> {
  for (const id of ['getLiveness', 'getReadiness', 'getOpenApi', 'getLimits', 'getServiceMetrics']) await api.call(id)
  for (const id of ['promqlHealthy', 'promqlReady', 'getJwks', 'register']) await api.call(id)
  const login = await api.call('login')
  const { access_token, refresh_token } = await api.call('refreshSession', { body: { refresh_token: login['refresh_token'] } })
  const ada = { authorization: `Bearer ${String(access_token)}` }
  await api.call('createNamespace', { headers: ada })
  await api.call('listNamespaces', { headers: ada })
  const team = { headers: ada, params: { id: 'team-a' } }
  await api.call('getNamespace', team)
  await api.call('changeNamespace', team)
  await api.call('putLogRules', team)
  await api.call('getLogRules', team)
  await api.call('switchNamespace', { headers: ada })
  const { token } = await api.call('createInvitation', team)
  await api.call('listInvitations', team)
  const { user } = await api.call('acceptInvitation', { headers: operator, body: { invitation_token: token } })
  const member = { headers: ada, params: { id: 'team-a', user_id: (user as { id: string }).id } }
  await api.call('listMembers', team)
  await api.call('changeMember', member)
  await api.call('removeMember', member)
  const { invitation } = await api.call('createInvitation', team)
  const { id: invitationId } = invitation as { id: string }
  await api.call('revokeInvitation', { headers: ada, params: { id: 'team-a', invitation_id: invitationId } })
  const { id: keyId } = await api.call('createKey', { headers: ada })
  const key = { headers: ada, params: { id: String(keyId) } }
  await api.call('rotateKey', key)
  await api.call('listKeys', { headers: ada })
  await api.call('revokeKey', key)
  await api.call('listAudit', team)
  await api.call('deleteNamespace', team)
  await api.call('changePassword', { headers: ada })
  await api.call('logout', { body: { refresh_token } })
}

async function writes(ingest: Readonly<Record<string, string>>, operator: Readonly<Record<string, string>>): Promise<void> {
  for (const id of [
    'ingestLog',
    'ingestLogs',
    'ingestMetric',
    'ingestMetrics',
    'importMetricText',
    'writeInflux2',
    'writeInflux1'
  ])
    await api.call(id, { headers: ingest })
  const place = { seq: 1, from: 0, to: 14, first_line: 1, lines: 1, sealed_at: '2026-11-20T11:40:00Z' }
  const stream = { id: 'orders-h1-0001', host_id: 'h1', path: '/var/log/orders.log', kind: 'file', ...place }
  const defaults = { host: 'web-1', service: 'orders' }
  await api.call('ingestLogs', { headers: ingest, body: { stream, defaults, logs: [{ message: 'ready' }] } })
  await api.call('putHost', { headers: ingest, params: { id: 'b1946ac92492d2347c6235b4d2611184' } })
  await api.call('reportEvent', { headers: ingest })
  for (const id of ['pushMetrics', 'putMetrics']) await api.call(id, { headers: ingest, params: { job: 'orders' } })
  for (const id of ['exportTraces', 'exportMetrics', 'exportLogs', 'ingestApmMetric', 'ingestApmError'])
    await api.call(id, { headers: ingest })
  const input = { name: 'shop', kind: 'rum', allowed_origins: [ORIGIN] }
  const { json } = await service.api('/api/v1/keys', { method: 'POST', headers: operator, json: input })
  await api.call('preflightRum', { headers: { origin: ORIGIN } })
  await api.call('ingestRum', { headers: { origin: ORIGIN, 'x-api-key': String(json['key']) } })
}

async function alerts(headers: Readonly<Record<string, string>>): Promise<void> {
  const { id: groupId } = await api.call('createAlertGroup', { headers })
  const group = { headers, params: { id: String(groupId) } }
  await api.call('updateAlertGroup', group)
  const { id } = await api.call('createAlertRule', { headers })
  const rule = { headers, params: { id: String(id) } }
  await api.call('updateAlertRule', rule)
  for (const operation of ['getAlertRule', 'setAlertRuleEnabled', 'listAlertRuleVersions']) await api.call(operation, rule)
  for (const operation of [
    'listAlertGroups',
    'listAlertRules',
    'listAlerts',
    'listAlertEvents',
    'listEvents',
    'backtestAlertRule'
  ])
    await api.call(operation, { headers })
  await api.call('deleteAlertRule', rule)
  for (const operation of ['importAlertRules', 'exportAlertRules', 'testAlertRules']) await api.call(operation, { headers })
  await api.call('deleteAlertGroup', group)
}

async function slos(headers: Readonly<Record<string, string>>): Promise<void> {
  const { id } = await api.call('createSlo', { headers })
  const one = { headers, params: { id: String(id) } }
  for (const operation of ['getSlo', 'replaceSlo', 'listSloVersions', 'getSloReport']) await api.call(operation, one)
  for (const operation of ['listSlos', 'importSlos', 'backtestSlo']) await api.call(operation, { headers })
  await api.call('deleteSlo', one)
}

async function measures(headers: Readonly<Record<string, string>>): Promise<void> {
  const { name } = await api.call('createMeasure', { headers })
  const one = { headers, params: { name: String(name) } }
  await api.call('listMeasures', { headers })
  await api.call('backfillMeasure', one)
  await api.call('deleteMeasure', one)
}

async function views(headers: Readonly<Record<string, string>>): Promise<void> {
  const { id } = await api.call('createView', { headers })
  const one = { headers, params: { id: String(id) } }
  await api.call('listViews', { headers })
  for (const operation of ['getView', 'replaceView', 'deleteView']) await api.call(operation, one)
}

async function notifications(headers: Readonly<Record<string, string>>): Promise<void> {
  const { channel } = await api.call('createChannel', { headers })
  const { id } = channel as { id: string }
  const one = { headers, params: { id } }
  for (const operation of ['getChannel', 'replaceChannel', 'rotateChannelSecret']) await api.call(operation, one)
  const { delivery } = await api.call('testChannel', one)
  await api.call('listDeliveries', one)
  await api.call('retryDelivery', { headers, params: { id, delivery_id: (delivery as { id: string }).id } })
  const muteTime = { headers, params: { name: 'nights' } }
  await api.call('saveMuteTime', muteTime)
  for (const operation of ['listChannels', 'listMuteTimes', 'setRouting', 'getRouting', 'previewSilence', 'ackAlerts'])
    await api.call(operation, { headers })
  const { silence } = await api.call('createSilence', { headers })
  await api.call('listSilences', { headers })
  await api.call('expireSilence', { headers, params: { id: (silence as { id: string }).id } })
  const routing = { version: 1, document: {} }
  await service.api('/api/v1/routing', { method: 'PUT', headers, json: routing })
  await api.call('deleteMuteTime', muteTime)
  await api.call('deleteChannel', one)
}

async function reads(headers: Readonly<Record<string, string>>): Promise<void> {
  const traced = { headers, params: { trace_id: TRACE } }
  for (const id of [
    'searchLogs',
    'listLogLevels',
    'listLogServices',
    'listLogHosts',
    'facetLogs',
    'compareRecords',
    'listLogFields',
    'aggregateRecords',
    'exportLogRecords',
    'exportSpans',
    'correlateMetrics'
  ])
    await api.call(id, { headers })
  const { logs } = await api.call('searchLogs', { headers })
  const [{ id: around }] = logs as readonly [{ readonly id: string }]
  await api.call('searchLogs', { headers, body: { around } })
  const { patterns } = await api.call('listLogPatterns', { headers })
  const [{ pattern_id }] = patterns as readonly [{ readonly pattern_id: string }]
  for (const id of ['getLogPattern', 'updateLogPattern']) await api.call(id, { headers, params: { pattern_id } })
  await api.call('tailLogs', { headers, query: 'duration=100ms' })
  await api.call('correlateTraceLogs', traced)
  await api.call('listStreams', { headers })
  for (const id of ['listHosts', 'listListeners']) await api.call(id, { headers })
  await api.call('getHost', { headers, params: { id: 'db-1' } })
  await api.call('proveStream', { headers, params: { id: 'orders-h1-0001' } })
  for (const id of ['queryMetric', 'getCardinality', 'listApmMetrics', 'reportRum', 'getOtlpStatus', 'sendTestSpan', 'graphql'])
    await api.call(id, { headers })
  for (const { operationId } of api.operations.filter(operation => FORMS.test(operation.operationId))) {
    await api.call(operationId, { headers })
    await api.call(operationId.replace(FORMS, ''), { headers, query: String(api.requestExample(operationId)) })
  }
  await api.call('promqlLabelValues', { headers, params: { label: 'host' } })
  for (const id of ['promqlMetadata', 'promqlRules', 'promqlAlerts', 'promqlBuildInfo']) await api.call(id, { headers })
  for (const id of ['searchTraces', 'queryTraces', 'listServices', 'getServiceMap']) await api.call(id, { headers })
  await api.call('getTrace', traced)
  await api.call('compareTraces', { ...traced, query: `other=${TRACE}` })
  await api.call('getService', { headers, params: { name: 'checkout' } })
  const { groups } = await api.call('listApmErrors', { headers })
  const { fingerprint } = (groups as readonly { fingerprint: string }[])[0]!
  await api.call('getErrorGroup', { headers, params: { fingerprint } })
  await api.call('setErrorGroupState', { headers, params: { fingerprint } })
  await api.call('getUsage', { headers, params: { id: service.first.namespaceId } })
}
