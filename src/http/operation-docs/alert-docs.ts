import { READ_FACTS } from './example-values.js'
import type { OperationDocs } from './operation-doc.js'

const NAME = 'CheckoutErrors'
const GROUP = { name: 'checkout', interval: '1m', limit: null, query_offset: null }
const GROUP_ID = 'k3vq8m2nd6rw4ycbt9zp'
const RULE_ID = 'h7xa5tzc2gq9wmnv4kbd'
const RULE = {
  alert: NAME,
  condition: { logs: { query: 'service:checkout level:error', group_by: ['host'], agg: 'count', window: '5m' } },
  op: 'gt',
  threshold: 10,
  for: '2m',
  labels: { team: 'payments' },
  annotations: { summary: '{{ $value }} errors on {{ $labels.host }} in 5 minutes' },
  severity: 'critical'
}
const STORED = {
  ...RULE,
  enabled: true,
  id: RULE_ID,
  group_id: GROUP_ID,
  version: 1,
  updated_by: 'p4mz7c2kd8hw5qbn3vtx',
  updated_at: '2026-11-20T11:40:00.000Z'
}
const LABELS = { alertname: NAME, host: 'web-1', severity: 'critical', team: 'payments' }
const ANNOTATIONS = { summary: '12 errors on web-1 in 5 minutes' }
const FINGERPRINT = '3f2a9c41d07be586'
const INSTANCE = {
  fingerprint: FINGERPRINT,
  labels: LABELS,
  annotations: ANNOTATIONS,
  state: 'firing',
  active_at: '2026-11-20T11:41:12.000Z',
  fired_at: '2026-11-20T11:43:12.000Z',
  resolved_at: null,
  value: 12
}
const STATUS = {
  ...STORED,
  group: 'default',
  state: 'firing',
  state_since: '2026-11-20T11:43:12.000Z',
  last_evaluated_at: '2026-11-20T11:44:12.000Z',
  last_error: null,
  instances: [INSTANCE]
}
const EVENT = {
  id: 'MTc5NTE3NDk5MjAwMC4y',
  at: '2026-11-20T11:43:12.000Z',
  rule_id: RULE_ID,
  rule_version: 1,
  fingerprint: FINGERPRINT,
  from: 'pending',
  to: 'firing',
  starts_at: '2026-11-20T11:41:12.000Z',
  late: false,
  value: 12,
  labels: LABELS,
  annotations: ANNOTATIONS
}
const FACTS = {
  page: { next_cursor: null, has_more: false, limit: 50 },
  total: null,
  complete: true,
  window: { start: '2026-11-19T11:45:00.000000000Z', end: '2026-11-20T11:45:00.000000001Z', unit_detected: 'default' },
  warnings: [],
  stats: { took_ms: 0.8, cuts: [] }
}
const DELETED = { deleted: RULE_ID }

/** Operations about alert rules and alerts. */
export const ALERT_DOCS: OperationDocs = {
  listAlertGroups: {
    summary: 'List groups of alert rules',
    description: 'Rules of a group are evaluated at one interval. Ordered by name, at most 100.',
    reply: { groups: [{ id: GROUP_ID, ...GROUP, rules: 1 }] }
  },
  createAlertGroup: {
    summary: 'Create a group of alert rules',
    description: 'Requires role member. A namespace has at most 100 groups.',
    request: GROUP,
    reply: { id: GROUP_ID, ...GROUP, rules: 0 }
  },
  updateAlertGroup: {
    summary: 'Replace a group of alert rules',
    description: 'Requires role member. A new interval moves the next evaluations of its rules.',
    request: { ...GROUP, interval: '30s' },
    reply: { id: GROUP_ID, ...GROUP, interval: '30s', rules: 1 }
  },
  deleteAlertGroup: {
    summary: 'Delete a group with its rules',
    description: 'Requires role member. Resolves alerts of its rules; their events stay.',
    reply: { deleted: GROUP_ID }
  },
  listAlertRules: {
    summary: 'List alert rules and their states',
    description: 'Ordered by the name of the group and the position in it, at most 500, each with its present alerts.',
    reply: { rules: [STATUS], page: { next_cursor: null, has_more: false, limit: 500 } }
  },
  listAlerts: {
    summary: 'List alerts',
    description:
      'Alerts of all rules in pages, by rule and fingerprint; resolved ones stay for 15 minutes. A namespace has at most 20,000.',
    reply: { alerts: [{ rule_id: RULE_ID, ...INSTANCE }], page: { next_cursor: null, has_more: false, limit: 100 } }
  },
  getAlertRule: {
    summary: 'Read an alert rule and its state',
    description: 'The rule with its present alerts. Resolved alerts stay for 15 minutes.',
    reply: STATUS
  },
  createAlertRule: {
    summary: 'Create an alert rule',
    description:
      'Requires role member. Takes the members of a Prometheus rule, or a condition on logs, traces or absent data. Without `group_id` the rule joins the group `default`. All errors of the rule are reported together. A namespace has at most 500 rules.',
    request: RULE,
    reply: { ...STATUS, state: 'unknown', state_since: null, last_evaluated_at: null, instances: [] }
  },
  updateAlertRule: {
    summary: 'Replace an alert rule',
    description:
      'Requires role member. Members that are absent get their defaults. `version` is the one that was read; another one is refused with 409 `conflict`. The state of its alerts continues.',
    request: { ...RULE, threshold: 20, version: 1 },
    reply: { ...STATUS, threshold: 20, version: 2 }
  },
  setAlertRuleEnabled: {
    summary: 'Enable or disable an alert rule',
    description: 'Requires role member. Disabling resolves its alerts.',
    request: { enabled: false },
    reply: { ...STATUS, enabled: false, version: 2, state: 'inactive', instances: [] }
  },
  deleteAlertRule: {
    summary: 'Delete an alert rule',
    description: 'Requires role member. Resolves its alerts; their events stay.',
    reply: DELETED
  },
  listAlertRuleVersions: {
    summary: 'List the versions of an alert rule',
    description: 'Newest first; the latest 100 are kept.',
    reply: { versions: [STORED] }
  },
  backtestAlertRule: {
    summary: 'Evaluate a rule over the past',
    description:
      'Returns the intervals in which a rule would have been pending and firing, without storing it. At most 31 days and 50,000 evaluations; ends after 30 s with what it has, and a warning.',
    request: { rule: RULE, start: '2026-11-20T11:00:00Z', end: '2026-11-20T12:00:00Z' },
    reply: {
      instances: [
        {
          labels: LABELS,
          intervals: [{ state: 'firing', from: '2026-11-20T11:43:00.000Z', to: '2026-11-20T11:47:00.000Z', peak: 12 }]
        }
      ],
      notifications: 1,
      per_week: 168,
      flaps: 0,
      suggestions: [{ for: '5m', per_week: 0 }],
      evaluations: 61,
      ...READ_FACTS
    }
  },
  listAlertEvents: {
    summary: 'List the history of alerts',
    description:
      'Changes of state, newest first, with the time of the evaluation. `late` ones were evaluated afterwards, for example after a restart. Events are kept for 90 days, at most 100,000 of a namespace.',
    reply: { events: [EVENT], ...FACTS }
  }
}
