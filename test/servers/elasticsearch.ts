import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../bench/service/free-port.js'
import { unprivilegedAccount, type Account } from './account.js'
import { cached } from './cache.js'
import { handOver, readablePath } from './hand-over.js'
import { findJava, type Java } from './java.js'
import { runDependencyPlugin } from './maven.js'
import { requireTool } from './missing-tool.js'
import { runCommand } from './run-command.js'
import { isClusterReady, publishedHttpPort } from './search-health.js'
import type { ServerPlan, ServerRecipe } from './server-plan.js'
import type { ServerAccess } from './variables.js'

export interface ElasticsearchRelease {
  readonly version: string
  readonly java: number
  /** Basic authentication as user `elastic`; plain HTTP either way. */
  readonly security: boolean
  /** Memory of its heap as Java writes it; enough for tests when absent. */
  readonly heap?: string
}

/** Elastic's reduced distribution: the core, its transport and security, without the modules. */
const ARTIFACT = 'org.elasticsearch.distribution.integ-test-zip:elasticsearch'
const CONFIG_FILES = ['jvm.options', 'log4j2.properties', 'roles.yml', 'users', 'users_roles', 'role_mapping.yml']
const SMALL_HEAP = '512m'
const PASSWORD = 'alidade-test'

export function elasticsearch(release: ElasticsearchRelease): ServerRecipe {
  return {
    fetch: async () => {
      await findJava(release.java)
      await distribution(release.version)
    },
    prepare: folder => prepare(folder, release)
  }
}

function distribution(version: string): Promise<string> {
  return cached(`elasticsearch-${version}`, async part => {
    await requireTool('unzip', ['-v'], 'unzip is needed to unpack Elasticsearch')
    await runDependencyPlugin(part, 'copy', [`-Dartifact=${ARTIFACT}:${version}:zip`, `-DoutputDirectory=${part}`])
    const zip = join(part, `elasticsearch-${version}.zip`)
    await runCommand('unzip', ['-q', zip, '-d', part])
    await rm(zip)
  })
}

async function prepare(folder: string, release: ElasticsearchRelease): Promise<ServerPlan> {
  const account = unprivilegedAccount()
  const unpacked = await distribution(release.version)
  const name = `elasticsearch-${release.version}`
  const home = join(await readablePath(unpacked, name, join(folder, 'home'), account), name)
  const java = await findJava(release.java)
  const javaHome = await readablePath(java.home, 'bin/java', join(folder, 'java'), account)
  const { heap = SMALL_HEAP } = release
  const env = {
    HOME: folder,
    ES_TMPDIR: join(folder, 'tmp'),
    ES_PATH_CONF: join(folder, 'config'),
    ES_JAVA_HOME: javaHome,
    ES_JAVA_OPTS: `-Xms${heap} -Xmx${heap}`
  }
  await configure(folder, home, java, release)
  await Promise.all(['config', 'data', 'logs', 'tmp'].map(name => handOver(join(folder, name), account)))
  if (release.security) await setPassword(home, env, account)
  return {
    account,
    stopSignal: 'SIGTERM',
    choosePort: freePort,
    command: port => ({
      file: join(home, 'bin/elasticsearch'),
      args: ['-E', `http.port=${port}`],
      cwd: join(folder, 'tmp'),
      env
    }),
    servingPort: publishedHttpPort,
    accessOn: port => accessOn(port, release),
    isReady: access => isClusterReady(access, 1)
  }
}

function accessOn(port: number, { security }: ElasticsearchRelease): ServerAccess {
  const url = `http://127.0.0.1:${port}`
  return security ? { url, username: 'elastic', password: PASSWORD } : { url }
}

async function configure(folder: string, home: string, java: Java, { security }: ElasticsearchRelease): Promise<void> {
  const config = join(folder, 'config')
  await Promise.all(['config', 'data', 'logs', 'tmp'].map(name => mkdir(join(folder, name))))
  await Promise.all(CONFIG_FILES.map(file => cp(join(home, 'config', file), join(config, file))))
  await dropMissingModules(join(config, 'jvm.options'), java)
  // Security is written even when it is off: left out, the server turns TLS on.
  const lines = [
    'discovery.type: single-node',
    'network.host: 127.0.0.1',
    'transport.port: 0',
    `path.data: ${join(folder, 'data')}`,
    `path.logs: ${join(folder, 'logs')}`,
    'cluster.routing.allocation.disk.threshold_enabled: false',
    `xpack.security.enabled: ${security}`,
    ...(security ? ['xpack.security.http.ssl.enabled: false', 'xpack.security.transport.ssl.enabled: false'] : [])
  ]
  await writeFile(join(config, 'elasticsearch.yml'), `${lines.join('\n')}\n`)
}

/** A packaged runtime lacks the vector module, which only speeds up what no test here queries. */
async function dropMissingModules(file: string, java: Java): Promise<void> {
  const lines = (await readFile(file, 'utf8')).split('\n')
  const kept = lines.filter(line => {
    const module = /--add-modules=(\S+)/.exec(line)?.[1]
    return module === undefined || java.modules.has(module)
  })
  await writeFile(file, kept.join('\n'))
}

async function setPassword(home: string, env: Record<string, string>, account: Account | undefined): Promise<void> {
  const keystore = join(home, 'bin/elasticsearch-keystore')
  await runCommand(keystore, ['create'], { env, account })
  await runCommand(keystore, ['add', '-x', 'bootstrap.password'], { env, account, input: PASSWORD })
}
