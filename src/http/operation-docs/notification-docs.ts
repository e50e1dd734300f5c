import type { OperationDocs } from './operation-doc.js'

const CHANNEL_ID = 'c5vq8m2nd6rw4ycbt9zp'
const SILENCE_ID = 's7xa5tzc2gq9wmnv4kbd'
const CHANNEL = {
  id: CHANNEL_ID,
  name: 'ops',
  kind: 'webhook',
  target: 'https://hooks.example.com/alerts',
  format: 'standard',
  signature: 'v1',
  events: [],
  enabled: true,
  disabled_reason: null,
  last_delivery_at: null,
  last_error: null,
  updated_at: '2026-11-20T11:40:00.000Z'
}
const ISSUED = { channel: CHANNEL, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD4qJ9YjzJv5k=' }
const DELIVERY = {
  id: '01KAGJ1WG0M2B7ZQ4V9XH3TDRE',
  type: 'webhook.test',
  state: 'waiting',
  group_key: null,
  created_at: '2026-11-20T11:40:00.000Z',
  next_attempt_at: '2026-11-20T11:40:00.000Z',
  attempts: []
}
const CONTENT = { name: 'ops', kind: 'webhook', target: 'https://hooks.example.com/alerts' }
const DOCUMENT = {
  route: {
    channels: ['ops'],
    group_by: ['alertname'],
    routes: [{ matchers: ['severity="critical"'], repeat_interval: '1h', mute_times: ['nights'] }]
  },
  inhibit: [{ source: ['severity="critical"'], target: ['severity="warning"'], equal: ['host'] }]
}
const MATCHERS = ['alertname="CheckoutErrors"', 'host=~"web-.+"']
const SILENCE = {
  id: SILENCE_ID,
  matchers: MATCHERS,
  starts_at: '2026-11-20T11:45:00.000Z',
  ends_at: '2026-11-20T13:00:00.000Z',
  comment: 'Deploy of the checkout.',
  created_by: 'p4mz7c2kd8hw5qbn3vtx',
  state: 'active'
}
const INTERVALS = [
  { times: [{ start_time: '22:00', end_time: '24:00' }], weekdays: ['monday:friday'], location: 'Europe/Berlin' }
]
const MUTE_TIME = { name: 'nights', intervals: INTERVALS }

/** Operations about where alerts are notified, and when not. */
export const NOTIFICATION_DOCS: OperationDocs = {
  listChannels: {
    summary: 'List notification channels',
    description: 'Ordered by name. Admins see the whole target, others its origin.',
    reply: { channels: [CHANNEL] }
  },
  createChannel: {
    summary: 'Create a notification channel',
    description:
      'Requires role admin. The target must be an https URL with public addresses, unless the operator allows it by `webhook_allow`. Requests to webhooks follow Standard Webhooks 1.0.0; the secret is returned once. A namespace has at most 100 channels.',
    request: CONTENT,
    reply: ISSUED
  },
  getChannel: {
    summary: 'Read a notification channel',
    description: 'Admins see the whole target, others its origin.',
    reply: { channel: CHANNEL }
  },
  replaceChannel: {
    summary: 'Replace a notification channel',
    description:
      'Requires role admin. Without `target` the stored one stays. The secret stays unless `signature` changes. Saving a channel as enabled ends what disabled it. The name cannot change while the routing uses it.',
    request: { name: 'ops', kind: 'webhook', events: ['alert.firing', 'alert.resolved'] },
    reply: { channel: { ...CHANNEL, events: ['alert.firing', 'alert.resolved'] }, secret: null }
  },
  deleteChannel: {
    summary: 'Delete a notification channel',
    description: 'Requires role admin. Deletes its deliveries. 409 `conflict` while the routing uses it.'
  },
  rotateChannelSecret: {
    summary: 'Replace the secret of a webhook',
    description: 'Requires role admin. For 24 hours requests have the signatures of both secrets.',
    reply: ISSUED
  },
  testChannel: {
    summary: 'Send a test to a notification channel',
    description:
      'Requires role member. One attempt; its outcome is in the list of deliveries. At most 5 tests of a channel a minute.',
    reply: { delivery: DELIVERY }
  },
  listDeliveries: {
    summary: 'List the deliveries of a notification channel',
    description: 'Latest first, with all attempts. Deliveries are kept for 30 days, at most 1,000 of a channel.',
    reply: { deliveries: [DELIVERY], next: null }
  },
  retryDelivery: {
    summary: 'Send a delivery again',
    description:
      'Requires role member. Starts its attempts again, with the same id and body. 409 `conflict` for one that arrived.',
    reply: { delivery: DELIVERY }
  },
  getRouting: {
    summary: 'Read the routing of alerts',
    description: 'The routing tree and inhibitions, with the words of Alertmanager. Version 0 until one is stored.',
    reply: { version: 1, document: DOCUMENT, warnings: [] }
  },
  setRouting: {
    summary: 'Replace the routing of alerts',
    description:
      'Requires role member. `version` is the one that was read; another one is refused with 409 `conflict`. `group_by` defaults to `alertname`, `group_wait` to 30s, `group_interval` to 5m, `repeat_interval` to 4h.',
    request: { version: 0, document: DOCUMENT },
    reply: { version: 1, document: DOCUMENT, warnings: [] }
  },
  listSilences: {
    summary: 'List silences',
    description: 'Those that are not over, the first end first; with `active=false` all, the latest end first, at most 1,000.',
    reply: { silences: [SILENCE] }
  },
  createSilence: {
    summary: 'Silence alerts',
    description:
      'Requires role member. Alerts that match all matchers do not notify until the end; their states do not change. At most 366 days, and 200 silences of a namespace at a time.',
    request: { matchers: MATCHERS, ends_at: '2026-11-20T13:00:00Z', comment: 'Deploy of the checkout.' },
    reply: { silence: SILENCE }
  },
  expireSilence: {
    summary: 'End a silence',
    description: 'Requires role member. Its alerts notify again; the silence stays in the list for 30 days.',
    reply: { silence: { ...SILENCE, ends_at: '2026-11-20T11:46:00.000Z', state: 'expired' } }
  },
  previewSilence: {
    summary: 'List the alerts that a silence would hide',
    description: 'Present alerts that match all matchers, at most 1,000.',
    request: { matchers: MATCHERS },
    reply: {
      alerts: [
        { fingerprint: '3f2a9c41d07be586', labels: { alertname: 'CheckoutErrors', host: 'web-1' }, state: 'firing', value: 12 }
      ]
    }
  },
  listMuteTimes: {
    summary: 'List mute times',
    description: 'Named times at which routes do not notify, ordered by name.',
    reply: { mute_times: [MUTE_TIME] }
  },
  saveMuteTime: {
    summary: 'Create or replace a mute time',
    description:
      'Requires role member. Intervals have the words of Alertmanager: `times`, `weekdays`, `days_of_month`, `months`, `location`. A namespace has at most 100 mute times.',
    request: { intervals: INTERVALS },
    reply: { mute_time: MUTE_TIME }
  },
  deleteMuteTime: {
    summary: 'Delete a mute time',
    description: 'Requires role member. 409 `conflict` while the routing uses it.'
  },
  ackAlerts: {
    summary: 'Acknowledge a group of alerts',
    description: 'Requires role member. Stops the repetitions of its notifications until one of its alerts fires or resolves.',
    request: { group_key: '{}:{alertname="CheckoutErrors"}' },
    reply: { acknowledged: true }
  }
}
