import { ALERT_SEVERITIES, NO_DATA_POLICIES, ON_ERROR_POLICIES, THRESHOLD_OPS } from '../../domain/alerts/alert-rule.js'
import { ALERT_STATES } from '../../domain/alerts/alert-state.js'
import {
  COUNT,
  described,
  FLAG,
  list,
  NULLABLE_NUMBER,
  NULLABLE_TEXT,
  NUMBER,
  object,
  objectWith,
  optional,
  requiring,
  type Static,
  TEXT,
  typed
} from '../json-schema.js'
import { INSTANT, PAGE, READ_HEADERS, READ_SECURITY, wholeFacts, WINDOW_QUERY } from '../read-schemas.js'

/** What all reads have. */
export const READ = { tags: ['alerts'], security: READ_SECURITY, headers: READ_HEADERS }
const WRITE = { ...READ, security: [{ session: [] }] }
const NAMESPACE = optional({ namespace: WINDOW_QUERY.namespace })
const ID = object({ id: TEXT })

/** A state of an alert. */
export const STATE = { type: 'string', enum: ALERT_STATES } as const
const DURATION = { ...TEXT, description: 'A duration such as `30s`, `5m` or `1h30m`.' } as const
/** Strings by name. */
export const STRINGS = typed<Readonly<Record<string, string>>>({ type: 'object', additionalProperties: TEXT })
const JSON_OBJECT = typed<Readonly<Record<string, unknown>>>({ type: 'object', additionalProperties: true })

const GROUP_MEMBERS = {
  name: { ...TEXT, description: 'Unique in the namespace.' },
  interval: { ...DURATION, description: 'Whole seconds, 10s to 1h; default 1m.' },
  limit: { type: ['integer', 'null'], description: 'Alerts of one rule, beyond which its evaluation fails.' } as const,
  query_offset: {
    ...NULLABLE_TEXT,
    description: 'How far before the evaluation time data is read; default 0s with PromQL, 15s with logs and spans.'
  }
}

const GROUP = object({ id: TEXT, ...GROUP_MEMBERS, rules: { ...COUNT, description: 'Number of rules.' } })
/** A group in a response. */
export type GroupReply = Static<typeof GROUP>

/** Members of a rule as clients write it; `parseRule` checks them and reports all errors at once. */
const RULE_MEMBERS = {
  alert: { ...TEXT, description: 'Name of an alerting rule; exactly one of `alert` and `record`.' },
  record: { ...TEXT, description: 'Name of the metric that a recording rule writes.' },
  expr: { ...TEXT, description: 'PromQL; exactly one of `expr` and `condition`.' },
  condition: {
    ...JSON_OBJECT,
    description:
      'One of `{logs: {query, group_by, agg, field, window}}`, `{spans: {query, group_by, agg, field, window}}`, `{traces: {service, operation, agg, window}}`, `{event: {type, service, environment, window}}` and `{absence: {of: host|service|metric|logs, name | query, for}}`. `type` of an event is one that senders report, or `log.gap`: lines that are missing from log streams.'
  },
  op: { type: 'string', enum: THRESHOLD_OPS, description: 'How the value is compared with `threshold`.' } as const,
  threshold: NUMBER,
  upper: { ...NUMBER, description: 'Upper bound of `outside` and `inside`.' },
  for: { ...DURATION, description: 'How long the condition is met before the alert fires; default 0s.' },
  keep_firing_for: { ...DURATION, description: 'How long the alert fires after the condition was met last; default 0s.' },
  for_n_of_m: { type: 'array', items: COUNT, description: 'Fires when n of the last m evaluations meet the condition.' } as const,
  no_data: { type: 'string', enum: NO_DATA_POLICIES, description: 'State without data; default nodata.' } as const,
  on_error: { type: 'string', enum: ON_ERROR_POLICIES, description: 'State after failed evaluations; default error.' } as const,
  labels: { ...STRINGS, description: 'Labels of its alerts; values are templates.' },
  annotations: { ...STRINGS, description: 'Annotations of its alerts; values are templates.' },
  severity: { type: 'string', enum: ALERT_SEVERITIES, description: 'Label `severity`.' } as const,
  enabled: { ...FLAG, description: 'Default true.' },
  runbook_url: TEXT
}

/** A rule to store. Additional members are refused by the use case, with all other errors. */
const RULE_BODY = typed<Readonly<Record<string, unknown>> & { readonly group_id?: string }>({
  type: 'object',
  properties: { ...RULE_MEMBERS, group_id: { ...TEXT, description: 'Group of the rule; default: the group `default`.' } }
})

const INSTANCE_MEMBERS = {
  fingerprint: TEXT,
  labels: STRINGS,
  annotations: STRINGS,
  state: STATE,
  active_at: TEXT,
  fired_at: NULLABLE_TEXT,
  resolved_at: NULLABLE_TEXT,
  value: { ...NULLABLE_NUMBER, description: 'Latest value; null for none, and for NaN and infinities.' }
}
const INSTANCE = object(INSTANCE_MEMBERS)
/** An alert in a response. */
export type InstanceReply = Static<typeof INSTANCE>

const RULE = objectWith(['id', 'group_id', 'version', 'updated_by', 'updated_at', 'enabled'], {
  id: TEXT,
  group_id: TEXT,
  version: { ...COUNT, description: 'To be sent with a change.' },
  updated_by: TEXT,
  updated_at: TEXT,
  ...RULE_MEMBERS
})
/** A version of a rule in a response. */
export type RuleReply = Static<typeof RULE>

const STATUS = objectWith(
  [
    ...(['id', 'group_id', 'group', 'version', 'updated_by', 'updated_at', 'enabled'] as const),
    ...(['state', 'state_since', 'last_evaluated_at', 'last_error', 'instances'] as const)
  ],
  {
    id: TEXT,
    group_id: TEXT,
    group: { ...TEXT, description: 'Name of the group.' },
    version: { ...COUNT, description: 'To be sent with a change.' },
    updated_by: TEXT,
    updated_at: TEXT,
    ...RULE_MEMBERS,
    state: { ...STATE, description: 'The gravest state of its alerts; unknown before the first evaluation.' },
    state_since: NULLABLE_TEXT,
    last_evaluated_at: NULLABLE_TEXT,
    last_error: NULLABLE_TEXT,
    instances: list(INSTANCE, { description: 'Alerts of the rule; resolved ones stay for 15 minutes.' })
  }
)
/** A rule with its state in a response. */
export type StatusReply = Static<typeof STATUS>

const DELETED = { 200: described('Deleted.', object({ deleted: TEXT })) }

/** `GET /api/v1/alerts/groups`. */
export const LIST_GROUPS = {
  ...READ,
  operationId: 'listAlertGroups',
  querystring: NAMESPACE,
  response: { 200: described('Groups by name.', object({ groups: list(GROUP) })) }
}

/** `POST /api/v1/alerts/groups`. */
export const CREATE_GROUP = {
  ...WRITE,
  operationId: 'createAlertGroup',
  querystring: NAMESPACE,
  body: requiring(['name'], GROUP_MEMBERS),
  response: { 200: described('The group.', GROUP) }
}

/** `PUT /api/v1/alerts/groups/{id}`. */
export const UPDATE_GROUP = { ...CREATE_GROUP, operationId: 'updateAlertGroup', params: ID }

/** `DELETE /api/v1/alerts/groups/{id}`. */
export const DELETE_GROUP = {
  ...WRITE,
  operationId: 'deleteAlertGroup',
  querystring: NAMESPACE,
  params: ID,
  response: DELETED
}

/** `GET /api/v1/alerts/rules`. */
export const LIST_RULES = {
  ...READ,
  operationId: 'listAlertRules',
  querystring: optional({
    namespace: WINDOW_QUERY.namespace,
    state: { type: 'array', items: STATE, description: 'Only rules in one of these states; repeatable.' } as const,
    contains: { ...TEXT, description: 'Part of the name, case-insensitive.' },
    limit: { ...COUNT, description: 'Rules; default and maximum 500.' },
    cursor: { ...TEXT, description: '`page.next_cursor` of the page before.' }
  }),
  response: { 200: described('Rules by group name and position.', object({ rules: list(STATUS), page: PAGE })) }
}

const ALERT = object({ rule_id: TEXT, ...INSTANCE_MEMBERS })

/** `GET /api/v1/alerts`. */
export const LIST_ALERTS = {
  ...READ,
  operationId: 'listAlerts',
  querystring: optional({
    namespace: WINDOW_QUERY.namespace,
    state: { type: 'array', items: STATE, description: 'Only alerts in one of these states; repeatable.' } as const,
    rule_id: { type: 'array', items: TEXT, description: 'Only alerts of these rules; repeatable.' } as const,
    limit: { ...COUNT, description: 'Alerts; default 100, maximum 1,000.' },
    cursor: { ...TEXT, description: '`page.next_cursor` of the page before.' }
  }),
  response: { 200: described('Alerts by rule and fingerprint.', object({ alerts: list(ALERT), page: PAGE })) }
}

/** `GET /api/v1/alerts/rules/{id}`. */
export const GET_RULE = {
  ...READ,
  operationId: 'getAlertRule',
  querystring: NAMESPACE,
  params: ID,
  response: { 200: described('The rule.', STATUS) }
}

/** `POST /api/v1/alerts/rules`. */
export const CREATE_RULE = {
  ...WRITE,
  operationId: 'createAlertRule',
  querystring: NAMESPACE,
  body: RULE_BODY,
  response: { 200: described('The rule.', STATUS) }
}

/** `PUT /api/v1/alerts/rules/{id}`. */
export const UPDATE_RULE = {
  ...CREATE_RULE,
  operationId: 'updateAlertRule',
  params: ID,
  body: typed<Readonly<Record<string, unknown>> & { readonly group_id?: string; readonly version: number }>({
    type: 'object',
    required: ['version'],
    properties: {
      ...RULE_MEMBERS,
      group_id: { ...TEXT, description: 'Moves the rule to the end of another group.' },
      version: { ...COUNT, description: 'The version that was read; another one is refused with `conflict`.' }
    }
  })
}

/** `PUT /api/v1/alerts/rules/{id}/enabled`. */
export const ENABLE_RULE = {
  ...WRITE,
  operationId: 'setAlertRuleEnabled',
  querystring: NAMESPACE,
  params: ID,
  body: requiring(['enabled'], { enabled: FLAG }),
  response: { 200: described('The rule.', STATUS) }
}

/** `DELETE /api/v1/alerts/rules/{id}`. */
export const DELETE_RULE = {
  ...WRITE,
  operationId: 'deleteAlertRule',
  querystring: NAMESPACE,
  params: ID,
  response: DELETED
}

/** `GET /api/v1/alerts/rules/{id}/versions`. */
export const LIST_VERSIONS = {
  ...READ,
  operationId: 'listAlertRuleVersions',
  querystring: NAMESPACE,
  params: ID,
  response: { 200: described('Versions, newest first.', object({ versions: list(RULE) })) }
}

const BACKTEST_INTERVAL = object({ state: STATE, from: TEXT, to: TEXT, peak: NULLABLE_NUMBER })
const BACKTEST_INSTANCE = object({ labels: STRINGS, intervals: list(BACKTEST_INTERVAL) })

/** What a rule would have done. */
export const BACKTESTED = {
  instances: list(BACKTEST_INSTANCE),
  notifications: { ...COUNT, description: 'Times at which the first of its alerts began to fire.' },
  per_week: NUMBER,
  flaps: { ...COUNT, description: 'Alerts that fired again within 15 minutes.' },
  suggestions: list(object({ for: DURATION, per_week: NUMBER }), { description: 'Longer `for` with fewer notifications.' }),
  evaluations: COUNT
}

/** `POST /api/v1/alerts/backtest`. */
export const BACKTEST = {
  ...READ,
  operationId: 'backtestAlertRule',
  querystring: NAMESPACE,
  body: typed<{ readonly rule: object; readonly group_id?: string; readonly start?: unknown; readonly end?: unknown }>({
    type: 'object',
    required: ['rule'],
    additionalProperties: false,
    properties: {
      rule: { type: 'object', properties: RULE_MEMBERS },
      group_id: { ...TEXT, description: 'Group whose interval, limit and offset count; default: 1m.' },
      start: { ...INSTANT, description: 'Default: 7 days ago.' },
      end: { ...INSTANT, description: 'Default: now.' }
    }
  }),
  response: {
    200: wholeFacts('The alerts that the rule would have had.', BACKTESTED)
  }
}
