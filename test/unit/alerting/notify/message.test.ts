import { createHmac, createPublicKey, verify } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { type AlertMessage, MAX_BODY_BYTES, type MessageData } from '../../../../src/alerting/notify/message/alertmanager-data.js'
import { MAX_POSTED_BYTES } from '../../../../src/alerting/notify/message/alertmanager-post.js'
import { encodeMessages, encodeTest, messageType } from '../../../../src/alerting/notify/message/encode-message.js'
import { newSecret, signatureHeaders, verificationKey } from '../../../../src/alerting/notify/message/standard-webhook.js'
import type { NotifiedAlert } from '../../../../src/domain/alerts/notification-group.js'

const AT_MS = Date.parse('2026-11-24T12:00:00Z')

function alert(host: string, changes: Partial<NotifiedAlert> = {}): NotifiedAlert {
  return {
    ruleId: 'r 1',
    fingerprint: `f-${host}`,
    labels: [
      { name: 'alertname', value: 'Down' },
      { name: 'host', value: host }
    ],
    annotations: [{ name: 'summary', value: `it is down` }],
    state: 'firing',
    startsAtMs: AT_MS - 60_000,
    endsAtMs: null,
    value: 0.5,
    isLate: false,
    ...changes
  }
}

/** The body of a message that has one. */
function encodeMessage(...of: Parameters<typeof encodeMessages>): string {
  const [body, ...others] = encodeMessages(...of)
  expect(others).toEqual([])
  return body!
}

function message(alerts: readonly NotifiedAlert[], changes: Partial<AlertMessage> = {}): AlertMessage {
  return {
    groupKey: '{}:{alertname="Down"}',
    groupLabels: [{ name: 'alertname', value: 'Down' }],
    receiver: 'ops',
    namespace: 'prod',
    externalUrl: 'https://alidade.example',
    alerts,
    conditions: new Map([['r 1', { kind: 'promql', expr: 'up == 0' }]]),
    atMs: AT_MS,
    ...changes
  }
}

const metricsUrl = (from: string, to: string): string =>
  `https://alidade.example/n/prod/metrics?e=up+%3D%3D+0&from=${from}&to=${to}`

const WEBHOOK = { kind: 'webhook', format: 'standard' } as const
const dataOf = (body: string): MessageData => (JSON.parse(body) as { data: MessageData }).data

describe('a webhook', () => {
  it('has the data of an Alertmanager, with the namespace and values', () => {
    const resolved = alert('b', { endsAtMs: AT_MS - 1_000, value: Number.POSITIVE_INFINITY })
    expect(JSON.parse(encodeMessage(WEBHOOK, message([alert('a'), resolved])))).toEqual({
      type: 'alert.firing',
      timestamp: '2026-11-24T12:00:00.000Z',
      data: {
        version: '4',
        groupKey: '{}:{alertname="Down"}',
        truncatedAlerts: 0,
        status: 'firing',
        receiver: 'ops',
        namespace: 'prod',
        groupLabels: { alertname: 'Down' },
        commonLabels: { alertname: 'Down' },
        commonAnnotations: { summary: 'it is down' },
        externalURL: 'https://alidade.example',
        alerts: [
          {
            status: 'firing',
            labels: { alertname: 'Down', host: 'a' },
            annotations: { summary: 'it is down' },
            startsAt: '2026-11-24T11:59:00.000Z',
            endsAt: '0001-01-01T00:00:00Z',
            generatorURL: 'https://alidade.example/n/prod/alerts/r%201',
            fingerprint: 'f-a',
            value: 0.5,
            evidence: [{ kind: 'metrics', url: metricsUrl('2026-11-24T11%3A29%3A00.000Z', '2026-11-24T12%3A00%3A00.000Z') }]
          },
          {
            status: 'resolved',
            labels: { alertname: 'Down', host: 'b' },
            annotations: { summary: 'it is down' },
            startsAt: '2026-11-24T11:59:00.000Z',
            endsAt: '2026-11-24T11:59:59.000Z',
            generatorURL: 'https://alidade.example/n/prod/alerts/r%201',
            fingerprint: 'f-b',
            value: '+Inf',
            evidence: [{ kind: 'metrics', url: metricsUrl('2026-11-24T11%3A29%3A00.000Z', '2026-11-24T11%3A59%3A59.000Z') }]
          }
        ]
      }
    })
  })

  it('of format alertmanager has its members alone', () => {
    const body = encodeMessage({ kind: 'webhook', format: 'alertmanager' }, message([alert('a')], { externalUrl: '' }))
    const data = JSON.parse(body) as MessageData
    // Alertmanager, configuration, <webhook_config>.
    expect(Object.keys(data).sort()).toEqual(
      [
        'version',
        'groupKey',
        'truncatedAlerts',
        'status',
        'receiver',
        'groupLabels',
        'commonLabels',
        'commonAnnotations',
        'externalURL',
        'alerts'
      ].sort()
    )
    expect(Object.keys(data.alerts[0]!)).toEqual([
      'status',
      'labels',
      'annotations',
      'startsAt',
      'endsAt',
      'generatorURL',
      'fingerprint'
    ])
  })

  it('names its type by what fires', () => {
    const types = [
      [alert('a'), alert('b', { state: 'nodata' })],
      [alert('a', { state: 'nodata' }), alert('b', { state: 'error' })],
      [alert('a', { state: 'error' })],
      [alert('a', { state: 'error', endsAtMs: AT_MS })]
    ].map(alerts => messageType({ alerts }))
    expect(types).toEqual(['alert.firing', 'alert.nodata', 'alert.error', 'alert.resolved'])
  })

  it.each([1, 10, 100, 1_000, 20_000])('of %i alerts has at most 20 KiB and counts what it leaves out', count => {
    const alerts = Array.from({ length: count }, (_, i) => alert(`host ÄÖ "${i}"`))
    const body = encodeMessage(WEBHOOK, message(alerts))
    const data = dataOf(body)
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(MAX_BODY_BYTES)
    expect(data.alerts.length + data.truncatedAlerts).toBe(count)
    expect(data.alerts.length).toBeGreaterThanOrEqual(Math.min(count, 40))
  })

  it.each([1_000, 9_000, 12_000, 18_000, 30_000, 64_000])('with annotations of %i bytes has at most 20 KiB', bytes => {
    const large = alert('a', { annotations: [{ name: 'summary', value: 'ä'.repeat(bytes / 2) }] })
    const body = encodeMessage(WEBHOOK, message([large]))
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(MAX_BODY_BYTES)
    expect(dataOf(body).alerts.length + dataOf(body).truncatedAlerts).toBe(1)
    if (bytes <= 18_000) expect(dataOf(body).alerts).toHaveLength(1)
  })

  it('with large labels and keys has at most 20 KiB', () => {
    const labels = Array.from({ length: 15 }, (_, i) => ({ name: `label${i}`, value: 'x'.repeat(1_000) }))
    const large = message([alert('a', { labels }), alert('b', { labels })], { groupLabels: labels, groupKey: 'k'.repeat(40_000) })
    for (const format of ['standard', 'alertmanager'] as const) {
      const body = encodeMessage({ kind: 'webhook', format }, large)
      expect(Buffer.byteLength(body)).toBeLessThanOrEqual(MAX_BODY_BYTES)
    }
  })

  it('keeps names of labels that are members of every object', () => {
    const labels = [
      { name: '__proto__', value: 'a' },
      { name: 'constructor', value: 'b' }
    ]
    const body = encodeMessage(WEBHOOK, message([alert('a', { labels })], { groupLabels: labels }))
    expect(body).toContain('"groupLabels":{"__proto__":"a","constructor":"b"}')
  })
})

describe('a message to Slack', () => {
  it('lists alerts in text and blocks, and cannot mention or forge', () => {
    const hostile = alert('<!channel> & <https://evil.example|link>')
    const body = JSON.parse(
      encodeMessage({ kind: 'slack', format: 'standard' }, message([hostile, alert('b', { endsAtMs: AT_MS })]))
    ) as {
      text: string
      blocks: { text: { text: string } }[]
    }
    expect(body.text.split('\n')[0]).toBe('[FIRING:1, RESOLVED:1] {alertname=Down} in prod')
    expect(body.text).toContain('&lt;!channel&gt; &amp; &lt;https://evil.example|link&gt;')
    expect(body.text).not.toContain('<!channel>')
    expect(body.blocks).toHaveLength(3)
    expect(body.blocks[2]!.text.text).toContain('*resolved*')
    expect(body.text).toContain('<https://alidade.example/n/prod/alerts/r%201|rule> <https://alidade.example/n/prod/metrics?e=up')
  })

  it('counts what it does not list, within the limits of a section', () => {
    const alerts = Array.from({ length: 12 }, (_, i) => alert(`${i} ${'x'.repeat(5_000)}`))
    const body = JSON.parse(encodeMessage({ kind: 'slack', format: 'standard' }, message(alerts))) as {
      text: string
      blocks: { text: { text: string } }[]
    }
    expect(body.blocks.at(-1)!.text.text).toBe('and 2 more')
    for (const { text } of body.blocks) expect(text.text.length).toBeLessThanOrEqual(3_000)
    expect(body.text.length).toBeLessThanOrEqual(3_000)
  })
})

describe('a post to an Alertmanager', () => {
  it('has alerts that end by themselves unless they are sent again', () => {
    const body = encodeMessage(
      { kind: 'alertmanager', format: 'standard' },
      message([alert('a'), alert('b', { endsAtMs: AT_MS })])
    )
    expect((JSON.parse(body) as object[]).map(posted => ({ ...posted, annotations: null, labels: null }))).toEqual([
      {
        labels: null,
        annotations: null,
        startsAt: '2026-11-24T11:59:00.000Z',
        endsAt: '2026-11-24T12:04:00.000Z',
        generatorURL: 'https://alidade.example/n/prod/alerts/r%201'
      },
      {
        labels: null,
        annotations: null,
        startsAt: '2026-11-24T11:59:00.000Z',
        endsAt: '2026-11-24T12:00:00.000Z',
        generatorURL: 'https://alidade.example/n/prod/alerts/r%201'
      }
    ])
  })
})

it('posts to an Alertmanager have at most 4 MiB each and all alerts together', () => {
  const alerts = Array.from({ length: 30_000 }, (_, i) => alert(`host ${i}`))
  const huge = alert('huge', { endsAtMs: AT_MS, annotations: [{ name: 'x', value: 'x'.repeat(MAX_POSTED_BYTES) }] })
  const bodies = encodeMessages({ kind: 'alertmanager', format: 'standard' }, message([...alerts, huge, alert('last')]))
  const posted = bodies.map(body => (JSON.parse(body) as { labels: { host: string } }[]).map(({ labels }) => labels.host))
  expect(posted.flat()).toEqual([...alerts.map((_, i) => `host ${i}`), 'huge', 'last'])
  const large = bodies.filter(body => Buffer.byteLength(body) > MAX_POSTED_BYTES)
  expect([bodies.length, large.length, posted.at(-2)]).toEqual([4, 1, ['huge']])
})

it('a test of each kind is JSON that alerts no one', () => {
  const test = { receiver: 'ops', namespace: 'prod', externalUrl: '', atMs: AT_MS }
  expect(JSON.parse(encodeTest(WEBHOOK, test))).toMatchObject({
    type: 'webhook.test',
    data: { receiver: 'ops', namespace: 'prod' }
  })
  expect(JSON.parse(encodeTest({ kind: 'webhook', format: 'alertmanager' }, test))).toMatchObject({
    version: '4',
    alerts: [],
    status: 'resolved'
  })
  expect(JSON.parse(encodeTest({ kind: 'alertmanager', format: 'standard' }, test))).toEqual([])
  expect(JSON.parse(encodeTest({ kind: 'slack', format: 'standard' }, test))).toHaveProperty('text')
})

describe('signatures', () => {
  const body = Buffer.from('{"test": 2432232314}')
  const request = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', atMs: 1_614_265_330_999, body }

  it('are those of the example of Standard Webhooks', () => {
    const headers = signatureHeaders({ ...request, secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] })
    expect(headers).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
    })
  })

  it('of ed25519 verify with the public key, and HMAC ones with the secret', () => {
    const randomBytes = (n: number): Uint8Array => Uint8Array.from({ length: n }, (_, i) => i)
    const [shared, own] = [newSecret('v1', randomBytes), newSecret('v1a', randomBytes)]
    const { 'webhook-signature': signature } = signatureHeaders({ ...request, secrets: [own, shared] })
    const [v1a, v1] = signature!.split(' ')
    const content = Buffer.from(`${request.id}.1614265330.${body.toString()}`)
    const raw = Buffer.from(verificationKey(own).replace(/^whpk_/, ''), 'base64')
    expect(raw).toHaveLength(32)
    const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), raw])
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' })
    expect(verify(null, content, key, Buffer.from(v1a!.replace(/^v1a,/, ''), 'base64'))).toBe(true)
    const secret = Buffer.from(verificationKey(shared).replace(/^whsec_/, ''), 'base64')
    expect(v1).toBe(`v1,${createHmac('sha256', secret).update(content).digest('base64')}`)
  })
})
