/** Descriptions that several lists and connections share. */
export const PAGE = {
  edges: 'Rows of the page, each with its cursor.',
  nodes: 'Rows of the page without cursors.',
  pageInfo: 'Position of the page in the list.',
  cursor: 'Opaque position of the row; valid as `after` or `before` of the same list and filter.',
  after: 'Cursor of a row, for example `pageInfo.endCursor`; the page starts after it.',
  before: 'Cursor of a row, for example `pageInfo.startCursor`; the page ends before it.'
} as const

/** Descriptions that several reads share. */
export const READ = {
  range: 'Window of event time. The retention of the namespace shortens it, with a warning.',
  window: 'Requested window, resolved to absolute times.',
  stats: 'Completeness and duration of the query.',
  contains: 'Only entries that contain this substring, case-insensitive.',
  query: 'Search language, for example `level:error -debug`; at most 8,192 characters.',
  where: 'Structured conditions, at most 64. All must match.',
  histogram: 'Counts per time bucket. A query can compute at most 8 histograms.',
  facets: 'Counts per value of the requested fields.'
} as const
