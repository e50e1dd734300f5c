/** Names of the three levels of a signal's request. */
export interface GroupNames {
  readonly resources: 'resourceLogs' | 'resourceMetrics' | 'resourceSpans'
  readonly scopes: 'scopeLogs' | 'scopeMetrics' | 'scopeSpans'
  readonly records: 'logRecords' | 'metrics' | 'spans'
}
