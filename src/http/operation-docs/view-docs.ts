import type { OperationDocs } from './operation-doc.js'

const VIEW = {
  name: 'Errors of checkout',
  signal: 'logs',
  state: { q: 'service:checkout level:error', from: 'now-1h', cols: 'time,level,message' }
}
const STORED = {
  id: 'k7mw2hxa9rt4cdq5vbn3',
  ...VIEW,
  created_by: 'a1f0a2a4-52c4-4d56-8a3c-0f2f5f3f7b10',
  updated_by: 'a1f0a2a4-52c4-4d56-8a3c-0f2f5f3f7b10',
  updated_at: '2026-11-24T10:00:12.000Z'
}

/** Operations about saved views. */
export const VIEW_DOCS: OperationDocs = {
  listViews: {
    summary: 'List saved views',
    description:
      'States of pages that members of the namespace share under a name, by name. Views without a name, which only shorten a link, are not listed.',
    reply: { views: [STORED], page: { next_cursor: null, has_more: false, limit: 100 } }
  },
  createView: {
    summary: 'Save a view',
    description:
      'Stores the query, the window and the columns of a page under a new id. The members of `state` are those of the query string of the page; the service does not interpret them. A namespace has at most 1,000 views. Members only.',
    request: VIEW,
    reply: STORED
  },
  getView: {
    summary: 'Get a saved view',
    description: 'A view of the namespace by its id, with or without a name.',
    reply: STORED
  },
  replaceView: {
    summary: 'Replace a saved view',
    description: 'Replaces name, signal and state of an existing view. Members only.',
    request: VIEW,
    reply: STORED
  },
  deleteView: {
    summary: 'Delete a saved view',
    description: 'Deletes the view; links with its id lead nowhere. Members only.',
    reply: { deleted: STORED.id }
  }
}
