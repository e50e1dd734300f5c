import { describe } from '@jest/globals'
import { accessFrom, SERVERS, type ServerAccess, type ServerName } from '../servers/variables.js'

/** The servers that speak Elasticsearch's protocol: `for (const server of SEARCH_SERVERS) describeOn(server, ...)`. */
export const SEARCH_SERVERS = ['es8', 'es9', 'opensearch'] as const satisfies readonly ServerName[]

/**
 * How to reach a test server, from the environment (ES8_URL, ES9_URL with ES9_USERNAME and ES9_PASSWORD, OPENSEARCH_URL,
 * INFLUX_URL with INFLUX_TOKEN and INFLUX_ORG, PG_URL); undefined when it is not there. With REQUIRE_STORES=1 a server that
 * is not there is an error.
 */
export function serverAccess(name: ServerName, environment = process.env): ServerAccess | undefined {
  const access = accessFrom(environment, name)
  if (!access && environment['REQUIRE_STORES'] === '1') {
    throw new Error(`${SERVERS[name].label} is required and ${SERVERS[name].variables.url} is not set`)
  }
  return access
}

/**
 * Cases on a real server. Without it they are registered all the same and skipped, so that the run's last line counts
 * them; what `cases` does before its first hook or test may therefore not connect. With REQUIRE_STORES=1 it throws.
 */
export function describeOn(name: ServerName, title: string, cases: (access: ServerAccess) => void): void {
  const access = serverAccess(name)
  if (access) {
    describe(title, () => cases(access))
    return
  }
  describe.skip(`${title} (${SERVERS[name].variables.url} is not set)`, () => cases({ url: 'http://server.invalid' }))
}
