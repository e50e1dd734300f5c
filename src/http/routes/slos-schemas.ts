import { SLO_ALERTS } from '../../domain/alerts/slo.js'
import { SLO_DATA_STATES } from '../../alerting/slo/budget-types.js'
import { SLO_CHANGES } from '../../alerting/slo/slo-service.js'
import {
  COUNT,
  described,
  FLAG,
  list,
  NULLABLE_NUMBER,
  NULLABLE_TEXT,
  NUMBER,
  object,
  optional,
  requiring,
  type Static,
  TEXT,
  typed
} from '../json-schema.js'
import { INSTANT, wholeFacts, WINDOW_QUERY } from '../read-schemas.js'
import { BACKTESTED, READ, STRINGS } from './alerts-schemas.js'

const WRITE = { ...READ, security: [{ session: [] }] }
const NAMESPACE = optional({ namespace: WINDOW_QUERY.namespace })
const ID = object({ id: TEXT })
const JSON_OBJECT = typed<Readonly<Record<string, unknown>>>({ type: 'object', additionalProperties: true })

/** Members of an SLO as clients write it; `parseSlo` checks them and reports all errors at once. */
const MEMBERS = {
  name: { ...TEXT, description: 'Unique in the namespace.' },
  service: { ...TEXT, description: 'Service that it is about: a label of its alerts.' },
  description: TEXT,
  objective: { ...NUMBER, description: 'Percent of events that are to be good: 90 to 99.999.' },
  window: { ...TEXT, description: 'Rolling window: `7d`, `28d` (default) or `30d`.' },
  indicator: {
    ...JSON_OBJECT,
    description:
      'One of `{ratio: {good | bad, total}}` in PromQL with ranges of `[$window]`, `{availability: {operation}}` and `{latency: {operation, threshold_ms}}` of spans.'
  },
  alerts: { type: 'array', items: { type: 'string', enum: SLO_ALERTS }, description: 'Default: both.' } as const,
  min_events: { ...COUNT, description: 'Events in the long window below which an alert does not fire; default 10.' },
  labels: { ...STRINGS, description: 'Labels of all alerts.' },
  page_labels: { ...STRINGS, description: 'Labels of alerts that page, over `labels`.' },
  ticket_labels: { ...STRINGS, description: 'Labels of alerts that are tickets, over `labels`.' },
  annotations: { ...STRINGS, description: 'Annotations of its alerts; values are templates.' },
  runbook_url: TEXT,
  enabled: { ...FLAG, description: 'Default true.' }
}

const STORED = {
  id: TEXT,
  version: COUNT,
  revision: { ...COUNT, description: 'Version since which events are counted by the present indicator.' },
  revision_since: TEXT,
  group_id: { ...TEXT, description: 'Group of the rules that it produces.' },
  updated_by: TEXT,
  updated_at: TEXT
}
const SLO = typed<Readonly<Record<string, unknown>> & { readonly [K in keyof typeof STORED]: string | number }>({
  type: 'object',
  required: [...Object.keys(STORED), 'name', 'service', 'objective', 'window', 'indicator', 'alerts', 'min_events', 'enabled'],
  additionalProperties: false,
  properties: { ...MEMBERS, ...STORED }
})
/** An SLO in a response. */
export type SloReply = Static<typeof SLO>

/** `GET /api/v1/slos`. */
export const LIST_SLOS = {
  ...READ,
  operationId: 'listSlos',
  querystring: NAMESPACE,
  response: { 200: described('SLOs by name.', object({ slos: list(SLO) })) }
}

/** `POST /api/v1/slos`. */
export const CREATE_SLO = {
  ...WRITE,
  operationId: 'createSlo',
  querystring: NAMESPACE,
  body: typed<Readonly<Record<string, unknown>>>({ type: 'object', properties: MEMBERS }),
  response: { 200: described('The SLO.', SLO) }
}

/** `GET /api/v1/slos/{id}`. */
export const GET_SLO = {
  ...READ,
  operationId: 'getSlo',
  querystring: NAMESPACE,
  params: ID,
  response: { 200: described('The SLO.', SLO) }
}

/** `PUT /api/v1/slos/{id}`. */
export const UPDATE_SLO = {
  ...WRITE,
  operationId: 'replaceSlo',
  querystring: NAMESPACE,
  params: ID,
  body: typed<Readonly<Record<string, unknown>> & { readonly version: number }>({
    type: 'object',
    required: ['version'],
    properties: { ...MEMBERS, version: { ...COUNT, description: 'The version that was read; another one is a conflict.' } }
  }),
  response: { 200: described('The SLO.', SLO) }
}

/** `DELETE /api/v1/slos/{id}`. */
export const DELETE_SLO = {
  ...WRITE,
  operationId: 'deleteSlo',
  querystring: NAMESPACE,
  params: ID,
  response: { 200: described('Deleted.', object({ deleted: TEXT })) }
}

/** `GET /api/v1/slos/{id}/versions`. */
export const LIST_SLO_VERSIONS = {
  ...READ,
  operationId: 'listSloVersions',
  querystring: NAMESPACE,
  params: ID,
  response: { 200: described('Versions, newest first.', object({ versions: list(SLO) })) }
}

const SHARE = { ...NULLABLE_NUMBER, description: '0 to 1; null without events.' } as const
const BURN = { ...NULLABLE_NUMBER, description: 'Null without events.' } as const
const DAY = object({
  start: TEXT,
  end: TEXT,
  total: NUMBER,
  bad: NUMBER,
  attained: SHARE,
  burn_rate: BURN,
  consumed: { ...NULLABLE_NUMBER, description: 'Share of the budget of the window.' } as const,
  missing_minutes: COUNT
})

/** Members of an error budget. */
const REPORT = {
  state: {
    type: 'string',
    enum: SLO_DATA_STATES,
    description:
      '`partial`: minutes of the window were not counted, or could not be read. `no_traffic`: no events. `no_data`: nothing was counted.'
  } as const,
  objective: { ...NUMBER, description: 'Percent.' },
  counted_since: { ...NULLABLE_TEXT, description: 'Start of the first hour with a count; null without one.' } as const,
  missing_minutes: { ...COUNT, description: 'Minutes of the window that were not counted.' },
  total: { ...NUMBER, description: 'Events.' },
  bad: NUMBER,
  attained: SHARE,
  consumed: {
    ...NULLABLE_NUMBER,
    description: 'Share of the error budget that is spent; above 1 the objective is missed.'
  } as const,
  remaining: { ...NULLABLE_NUMBER, description: '`1 - consumed`.' } as const,
  burn_rates: list(object({ window: TEXT, rate: BURN }), { description: 'Windows without a count are left out.' }),
  exhausted_at: {
    ...NULLABLE_TEXT,
    description: 'When the budget is spent at the rate of the last 6 hours; null when it is not, or is spent already.'
  } as const,
  days: list(DAY, { description: 'Days of UTC, oldest first.' })
} as const

/** `GET /api/v1/slos/{id}/report`. */
export const GET_SLO_REPORT = {
  ...READ,
  operationId: 'getSloReport',
  querystring: NAMESPACE,
  params: ID,
  response: {
    200: wholeFacts('The error budget.', REPORT)
  }
}

/** `POST /api/v1/slos/import`. */
export const IMPORT_SLOS = {
  ...WRITE,
  operationId: 'importSlos',
  querystring: NAMESPACE,
  body: requiring(['file'], {
    file: { ...TEXT, description: 'A file of OpenSLO v1 or Sloth (`prometheus/v1`): YAML, at most 512 KiB.' },
    dry_run: { ...FLAG, description: 'Reports the changes without storing them; default false.' }
  }),
  response: {
    200: described(
      'How each SLO of the file was handled.',
      object({
        dry_run: FLAG,
        slos: list(object({ name: TEXT, change: { type: 'string', enum: SLO_CHANGES } as const })),
        ignored: list(TEXT, { description: 'Members of the file without a meaning here, at most 100.' })
      })
    )
  }
}

/** `POST /api/v1/slos/backtest`. */
export const BACKTEST_SLO = {
  ...READ,
  operationId: 'backtestSlo',
  querystring: NAMESPACE,
  body: typed<{ readonly slo: object; readonly start?: unknown; readonly end?: unknown }>({
    type: 'object',
    required: ['slo'],
    additionalProperties: false,
    properties: {
      slo: { type: 'object', properties: MEMBERS },
      start: { ...INSTANT, description: 'Default: 7 days ago.' },
      end: { ...INSTANT, description: 'Default: now.' }
    }
  }),
  response: {
    200: wholeFacts('The alerts and the error budget that the SLO would have had.', {
      alerts: list(
        object({
          alert: { ...TEXT, description: 'Name of the alert.' },
          kind: { type: 'string', enum: SLO_ALERTS } as const,
          window: { ...TEXT, description: 'The longer one of its two windows.' },
          factor: { ...NUMBER, description: 'Burn rate above which it fires; peaks are burn rates.' },
          ...BACKTESTED
        }),
        { description: 'Shortest windows first.' }
      ),
      report: wholeFacts('The error budget at the end of the window.', REPORT)
    })
  }
}
