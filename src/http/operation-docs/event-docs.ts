import { READ_FACTS } from './example-values.js'
import type { OperationDocs } from './operation-doc.js'

const SENT = {
  type: 'deploy',
  id: 'pipeline-4711',
  service: 'checkout',
  version: '1.4.2',
  environment: 'production',
  title: 'checkout 1.4.2',
  url: 'https://ci.example.com/runs/4711',
  attributes: { commit: '3f2a9c4' }
}
const AT = '2026-11-20T11:40:00.000Z'

/** Operations about events of services. */
export const EVENT_DOCS: OperationDocs = {
  reportEvent: {
    summary: 'Report a deployment or another event',
    description:
      'Rules with a condition on events alert on it, and charts of the service show it. A repeat with the same `id` is not stored again. At most 64 KiB, 1 per second and 100 at once of a namespace.',
    request: SENT,
    reply: {
      status: 'ok',
      namespace: 'default',
      namespace_source: 'api_key',
      event: { id: SENT.id, type: SENT.type, timestamp: AT },
      duplicate: false
    }
  },
  listEvents: {
    summary: 'List deployments and other events',
    description:
      'Newest first. Events are kept for 90 days, at most 10,000 reported ones of a namespace. The service adds an event `log.gap` when lines are missing from a log stream, at most one a stream and minute; 1,000 are kept, and they are listed when `type` names them.',
    reply: {
      events: [{ ...SENT, at: AT }],
      page: { next_cursor: null, has_more: false, limit: 50 },
      total: null,
      ...READ_FACTS
    }
  }
}
