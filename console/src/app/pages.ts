/** Pages of the navigation, in its order: name, address, and the key after `g`. A page is listed when it exists. */
export const PAGES = [
  ['Logs', '/n/$namespace/logs', 'l'],
  ['Traces', '/n/$namespace/traces', 't'],
  ['Metrics', '/n/$namespace/metrics', 'm'],
  ['APM', '/n/$namespace/apm', 'a'],
  ['Exceptions', '/n/$namespace/errors', 'e'],
  ['RUM', '/n/$namespace/rum', 'r'],
  ['Services', '/n/$namespace/services', 's'],
  ['Infrastructure', '/n/$namespace/hosts', 'h'],
  ['OTLP status', '/n/$namespace/otlp', 'o'],
  ['Alerts', '/n/$namespace/alerts', 'n'],
  ['Settings', '/n/$namespace/settings', ',']
] as const
