import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const URLS = { postgres: 'PG_URL', es8: 'ES8_URL', es9: 'ES9_URL', opensearch: 'OPENSEARCH_URL', influx: 'INFLUX_URL' }

/**
 * Starts the servers that the run wants and puts their variables into its environment: all with REQUIRE_STORES=1, those that
 * ALIDADE_TEST_SERVERS names (`all`, or `es8 postgres`) otherwise. A server whose URL is there already is used as it is.
 */
export default async function startWantedServers() {
  const names = wantedServers(process.env).filter(name => !process.env[URLS[name]])
  if (names.length === 0) return
  const main = fileURLToPath(new URL('main.ts', import.meta.url))
  const servers = fork(main, names, { execArgv: ['--import', 'tsx'], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const [variables] = await Promise.race([
    once(servers, 'message'),
    once(servers, 'exit').then(() => Promise.reject(new Error('the test servers did not start')))
  ])
  Object.assign(process.env, variables)
  globalThis.alidadeTestServers = servers
}

function wantedServers(environment) {
  if (environment.REQUIRE_STORES === '1') return Object.keys(URLS)
  const named = (environment.ALIDADE_TEST_SERVERS ?? '').split(/[\s,]+/).filter(Boolean)
  return named.includes('all') ? Object.keys(URLS) : named
}
