import type { Channel } from '../../src/domain/alerts/channel.js'
import type { Delivery } from '../../src/domain/alerts/delivery.js'
import type { NotificationGroup, NotifiedAlert } from '../../src/domain/alerts/notification-group.js'
import type { Silence } from '../../src/domain/alerts/silence.js'
import { SHOP } from './alert-fixtures.js'
import { NOW_MS, userId } from './control-fixtures.js'

export function channel(id: string, changes: Partial<Channel> = {}): Channel {
  return {
    id,
    namespaceId: SHOP,
    name: `channel ${id} ÄÖ`,
    kind: 'webhook',
    format: 'standard',
    signature: 'v1',
    events: ['alert.firing'],
    isEnabled: true,
    url: `sealed url of ${id}`,
    secret: `sealed secret of ${id}`,
    previousSecret: null,
    previousUntilMs: null,
    disabledReason: null,
    failingSinceMs: null,
    lastDeliveryAtMs: null,
    lastError: null,
    updatedBy: userId('ada'),
    updatedAtMs: NOW_MS,
    ...changes
  }
}

export function delivery(id: string, changes: Partial<Delivery> = {}): Delivery {
  return {
    id,
    namespaceId: SHOP,
    channelId: 'c',
    groupKey: '{}:{alertname="Down"}',
    type: 'alert.firing',
    body: '{"日本":"ÄÖ"}',
    createdAtMs: NOW_MS,
    state: 'waiting',
    nextAttemptMs: NOW_MS,
    attempts: [],
    tries: 0,
    triedSinceMs: NOW_MS,
    ...changes
  }
}

export function notifiedAlert(fingerprint: string, changes: Partial<NotifiedAlert> = {}): NotifiedAlert {
  return {
    ruleId: 'rule',
    fingerprint,
    labels: [
      { name: 'alertname', value: 'Down' },
      { name: 'host', value: `"ÄÖ" ${fingerprint}` }
    ],
    annotations: [{ name: 'summary', value: 'it is down' }],
    state: 'firing',
    startsAtMs: NOW_MS,
    endsAtMs: null,
    value: 0.5,
    isLate: false,
    ...changes
  }
}

export function notificationGroup(key: string, changes: Partial<NotificationGroup> = {}): NotificationGroup {
  return {
    key,
    labels: [{ name: 'alertname', value: 'Down' }],
    routeKey: '{}',
    alerts: new Map([['rule/a', notifiedAlert('a')]]),
    nextFlushMs: NOW_MS,
    flushes: 0,
    sent: new Map(),
    isAcked: false,
    ...changes
  }
}

export function silence(id: string, changes: Partial<Silence> = {}): Silence {
  return {
    id,
    namespaceId: SHOP,
    matchers: ['host="a, \\"b\\""', 'severity=~"critical|page"'],
    startsAtMs: NOW_MS,
    endsAtMs: NOW_MS + 3_600_000,
    comment: 'maintenance ÄÖ 日本',
    createdBy: userId('ada'),
    updatedAtMs: NOW_MS,
    ...changes
  }
}
