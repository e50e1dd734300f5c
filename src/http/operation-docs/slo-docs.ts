import type { OperationDocs } from './operation-doc.js'

const SLO = {
  name: 'checkout-availability',
  service: 'checkout',
  objective: 99.9,
  window: '28d',
  indicator: { ratio: { bad: 'http_requests_total{code=~"5.."}', total: 'http_requests_total' } },
  labels: { team: 'payments' }
}
const STORED = {
  ...SLO,
  alerts: ['page', 'ticket'],
  min_events: 10,
  enabled: true,
  id: '3b0c5d0e-8f3a-4a53-9a55-0f9f1a2f4c11',
  version: 1,
  revision: 1,
  revision_since: '2026-11-24T10:00:00.000Z',
  group_id: '7d7c9d7e-1b0f-4c6e-9d51-6a4f4e2b9a02',
  updated_by: 'a1f0a2a4-52c4-4d56-8a3c-0f2f5f3f7b10',
  updated_at: '2026-11-24T10:00:00.000Z'
}
const REPORT = {
  state: 'partial',
  objective: 99.9,
  counted_since: '2026-11-24T10:00:00.000Z',
  missing_minutes: 40140,
  total: 12000,
  bad: 6,
  attained: 0.9995,
  consumed: 0.5,
  remaining: 0.5,
  burn_rates: [
    { window: '5m', rate: 0 },
    { window: '1h', rate: 0.5 }
  ],
  exhausted_at: null,
  days: [
    {
      start: '2026-11-24T00:00:00.000Z',
      end: '2026-11-24T13:00:00.000Z',
      total: 12000,
      bad: 6,
      attained: 0.9995,
      burn_rate: 0.5,
      consumed: 0.5,
      missing_minutes: 600
    }
  ],
  complete: false,
  window: { start: '2026-10-27T13:00:00.000Z', end: '2026-11-24T13:00:00.000Z', unit_detected: 'relative' },
  warnings: [],
  stats: { took_ms: 41.2, cuts: [] }
}
const FILE = `version: prometheus/v1
service: checkout
slos:
  - name: availability
    objective: 99.9
    sli:
      events:
        error_query: sum(rate(http_requests_total{code=~"5.."}[{{.window}}]))
        total_query: sum(rate(http_requests_total[{{.window}}]))
    alerting:
      name: CheckoutAvailability
`

/** Operations about service level objectives. */
export const SLO_DOCS: OperationDocs = {
  listSlos: { summary: 'List SLOs', description: 'All SLOs of the namespace by name, at most 50.', reply: { slos: [STORED] } },
  createSlo: {
    summary: 'Create an SLO',
    description:
      'Stores an objective and produces its rules: one that records events each minute, and multiwindow burn-rate alerts (Google SRE Workbook) that page or are tickets. The rules are changed and removed only with the SLO. Members only.',
    request: SLO,
    reply: STORED
  },
  getSlo: { summary: 'Get an SLO', description: 'The objective, with its version.', reply: STORED },
  replaceSlo: {
    summary: 'Replace an SLO',
    description:
      'Replaces objective and rules; alerts of rules that stay keep their states. Another indicator begins a new revision: earlier events no longer count. Members only.',
    request: { ...SLO, version: 1 },
    reply: { ...STORED, version: 2 }
  },
  deleteSlo: {
    summary: 'Delete an SLO',
    description: 'Deletes an SLO with its rules and resolves their alerts. Recorded counts stay. Members only.',
    reply: { deleted: STORED.id }
  },
  listSloVersions: {
    summary: 'List versions of an SLO',
    description: 'The latest 100 versions, newest first.',
    reply: { versions: [STORED] }
  },
  getSloReport: {
    summary: 'Get the error budget of an SLO',
    description:
      'What was attained and spent in the window that ends now, the present burn rates, and each day. Without events figures are null: no data is never 100 %. Minutes that were not counted make the report incomplete.',
    reply: REPORT
  },
  importSlos: {
    summary: 'Import SLOs of OpenSLO or Sloth',
    description:
      'Stores the SLOs of a file by their names, all or none; others stay. A second import changes nothing. Indicators must be ratios of counted events. Errors have the paths of the file. Members only.',
    request: { file: FILE, dry_run: true },
    reply: { dry_run: true, slos: [{ name: 'checkout-availability', change: 'created' }], ignored: ['slos[0].alerting.name'] }
  },
  backtestSlo: {
    summary: 'Try an SLO on the past',
    description:
      'Evaluates the rules of an SLO over the past without storing it: its events are counted minute by minute, its alerts are evaluated in the window, and its error budget is that of the end of the window. At most 31 days; events are counted for at most 20 s, the whole ends after 30 s with what it has.',
    request: { slo: SLO, start: 'now-7d' },
    reply: {
      alerts: [
        {
          ...{ alert: 'checkout-availability page 1h', kind: 'page', window: '1h', factor: 14.4 },
          ...{ instances: [], notifications: 0, per_week: 0, flaps: 0, suggestions: [], evaluations: 10080 }
        }
      ],
      report: REPORT,
      complete: true,
      window: { start: '2026-11-17T10:00:00.000Z', end: '2026-11-24T10:00:00.000Z', unit_detected: 'relative' },
      warnings: [],
      stats: { took_ms: 812.4, cuts: [] }
    }
  }
}
