import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { ClockAhead } from '../support/clock-ahead.js'
import { type HttpRelay, openHttpRelay } from '../support/http-relay.js'
import { describeWithProgram, type RunningProgram, startProgram } from '../support/programs.js'
import { type RunningService, startService } from '../support/running-service.js'
import { openTempFolder } from '../support/temp-folder.js'
import { must, textOf } from '../support/tenants.js'
import { openWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js'

// A real Alertmanager gets our alerts, and sends them to a webhook: its body is the measure of ours.

const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const INTERVAL_MS = 10 * SECOND_MS
const START_LIMIT_MS = 240_000

/** A body of a webhook of Alertmanager. */
interface Notification {
  readonly status: string
  readonly alerts: readonly Readonly<Record<string, unknown>>[]
}

/** An alert of `GET /api/v2/alerts`. */
interface ActiveAlert {
  readonly labels: object
  readonly annotations: object
  readonly startsAt: string
  readonly endsAt: string
  readonly fingerprint: string
  readonly generatorURL: string
  readonly status: { readonly state: string }
}

function configOf(receiver: string): string {
  return [
    'route: { receiver: test, group_by: [alertname], group_wait: 0s, group_interval: 1s }',
    'receivers:',
    '  - name: test',
    `    webhook_configs: [{ url: '${receiver}' }]`,
    ''
  ].join('\n')
}

describeWithProgram('prometheus-alertmanager', 'an Alertmanager', path => {
  const clock = new ClockAhead()
  // Alertmanager has the system's clock: at the resolution both agree.
  clock.aheadMs = -(MINUTE_MS + 3 * INTERVAL_MS)
  let folder: Awaited<ReturnType<typeof openTempFolder>>
  let running: RunningProgram
  let address: string
  let relay: HttpRelay
  /** What Alertmanager sends, and what we send. */
  let theirs: WebhookReceiver
  let ours: WebhookReceiver
  let service: RunningService
  let operator: string
  let ruleId: string

  beforeAll(async () => {
    folder = await openTempFolder()
    theirs = await openWebhookReceiver()
    ours = await openWebhookReceiver()
    const config = join(folder.path, 'alertmanager.yml')
    await writeFile(config, configOf(`${theirs.url}/hook`))
    running = startProgram(path, [
      `--config.file=${config}`,
      `--storage.path=${join(folder.path, 'data')}`,
      '--web.listen-address=127.0.0.1:0',
      '--cluster.listen-address='
    ])
    address = `http://${(await running.wrote(/msg="Listening on" address=(\S+)/))[1]}`
    relay = await openHttpRelay(address)
    const flags = ['--webhook-allow', '127.0.0.1', '--public-url', 'https://alidade.example']
    service = await startService({ flags, app: { clock } })
    operator = (await service.login()).authorization.replace('Bearer ', '')
    await route()
  }, START_LIMIT_MS)
  afterAll(async () => {
    await service?.close()
    await relay?.close()
    await running?.stop()
    await theirs?.close()
    await ours?.close()
    await folder?.remove()
  })

  /** Sends all alerts to the Alertmanager, and to a webhook in its format. */
  async function route(): Promise<void> {
    const { api } = service
    const channels = [
      { name: 'test', kind: 'webhook', format: 'alertmanager', target: `${ours.url}/hook` },
      { name: 'alertmanager', kind: 'alertmanager', target: relay.url }
    ]
    for (const channel of channels) await must(api, 'POST /api/v1/channels', operator, channel)
    const route = { channels: channels.map(({ name }) => name), group_by: ['alertname'], group_wait: '0s', group_interval: '10s' }
    await must(api, 'PUT /api/v1/routing', operator, { version: 0, document: { route } })
  }

  async function active(): Promise<readonly ActiveAlert[]> {
    const response = await fetch(`${address}/api/v2/alerts`)
    return (await response.json()) as readonly ActiveAlert[]
  }

  const bodyOf = async (of: WebhookReceiver, index: number): Promise<Notification> =>
    // Go leaves out zeros at the end of a second's fraction.
    JSON.parse((await of.request(index)).body.replaceAll(/(:\d\d)(?:\.0+|(\.\d*[1-9])0+)Z"/g, '$1$2Z"')) as Notification

  it('takes an alert that fires, with its labels', async () => {
    const { api } = service
    const group = { name: 'fast', interval: '10s' }
    const groupId = textOf(await must(api, 'POST /api/v1/alerts/groups', operator, group), 'id')
    const rule = {
      ...{ alert: 'Down', expr: 'vector(1)', group_id: groupId, labels: { team: 'shop', region: 'Zürich "1"' } },
      annotations: { summary: 'down: {{ $value }}' }
    }
    ruleId = textOf(await must(api, 'POST /api/v1/alerts/rules', operator, rule), 'id')
    clock.aheadMs += 2 * INTERVAL_MS
    expect(await relay.responded(0)).toMatchObject({ path: '/api/v2/alerts', status: 200 })
    const [sent] = (await bodyOf(ours, 0)).alerts
    expect(await active()).toEqual([
      expect.objectContaining({
        labels: { alertname: 'Down', team: 'shop', region: 'Zürich "1"' },
        annotations: { summary: 'down: 1' },
        startsAt: expect.any(String),
        fingerprint: sent!['fingerprint'],
        generatorURL: sent!['generatorURL'],
        status: expect.objectContaining({ state: 'active' })
      })
    ])
  })

  it('gets it again before it would end', async () => {
    const [first] = await active()
    clock.aheadMs += MINUTE_MS
    expect(await relay.responded(1)).toMatchObject({ status: 200 })
    const [second] = await active()
    expect(Date.parse(first!.endsAt)).toBeGreaterThan(clock.nowMs())
    expect(Date.parse(second!.endsAt) - Date.parse(first!.endsAt)).toBeGreaterThanOrEqual(MINUTE_MS)
    expect(second!.startsAt).toBe(first!.startsAt)
  })

  it('sends the bodies that we send in its format', async () => {
    const [their, our] = [await bodyOf(theirs, 0), await bodyOf(ours, 0)]
    expect(our).toEqual({ ...their, externalURL: expect.any(String), groupKey: expect.any(String) })
    expect(Object.keys(our).toSorted()).toEqual(Object.keys(their).toSorted())
    expect(our.status).toBe('firing')
  })

  it('learns that it is resolved, and so does its webhook', async () => {
    await must(service.api, `PUT /api/v1/alerts/rules/${ruleId}/enabled`, operator, { enabled: false })
    clock.aheadMs += INTERVAL_MS
    expect(await relay.responded(2)).toMatchObject({ status: 200 })
    const [their, our] = [await bodyOf(theirs, 1), await bodyOf(ours, 1)]
    expect(await active()).toEqual([])
    expect(our).toEqual({ ...their, externalURL: expect.any(String), groupKey: expect.any(String) })
    expect([our.status, our.alerts[0]!['status']]).toEqual(['resolved', 'resolved'])
  })
})
