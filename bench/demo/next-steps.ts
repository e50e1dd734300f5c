/** Commands to try next, with the times of the incident to look into; every line works when pasted. */
export function nextSteps(url: string, incident: { readonly start: string; readonly end: string }): string {
  const header = `-H "Authorization: Bearer $TOKEN"`
  const post = (path: string, body: object): string =>
    `curl -s ${url}${path} ${header} -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`
  const graphql =
    '{ logs(range: {from: "now-1h"}, filter: {query: "acquirer"}, first: 3) { total { value } nodes { timestamp service message traceId } histogram(buckets: 12, by: "level") { series { key counts } } } }'
  return [
    '',
    'Try next (E-mail and password are in first-run.txt of the data folder):',
    `TOKEN=$(curl -s ${url}/api/v1/auth/login -H 'Content-Type: application/json' -d '{"email":"...","password":"..."}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    '# what fails, and since which release?',
    post('/api/v1/logs/query', { level: 'error', service: 'payments', start: 'now-1h', limit: 5 }),
    post('/api/v1/logs/facets', { query: 'level:error', fields: ['release', 'service', 'host'], start: 'now-1h' }),
    '# requests a second of each service',
    post('/api/v1/query', {
      metric: 'http.server.requests',
      agg: 'rate',
      group_by: ['service'],
      start: 'now-1h',
      end: 'now',
      step: '1m'
    }),
    '# page speed by country, judged at the 75th percentile',
    `curl -s '${url}/api/v1/apm/rum?group_by=country&start=now-1h' ${header}`,
    `curl -s '${url}/api/v1/apm/errors?start=now-1h' ${header}`,
    '# services, who calls whom, and which metrics moved in the incident',
    `curl -s '${url}/api/v1/apm/services?order=error_rate&start=now-1h' ${header}`,
    `curl -s '${url}/api/v1/apm/service-map?service=checkout&depth=1&start=now-1h' ${header}`,
    post('/api/v1/logs/correlate/metrics', {
      anchor: { query: 'level:error service:payments', ...incident },
      top: 5
    }),
    '# the same over GraphQL (or open /graphql in a browser)',
    post('/graphql', { query: graphql }),
    ''
  ].join('\n')
}
