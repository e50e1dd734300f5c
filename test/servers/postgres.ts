import { existsSync, readdirSync } from 'node:fs'
import { appendFile, mkdir } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import pg from 'pg'
import { unprivilegedAccount } from './account.js'
import { handOver } from './hand-over.js'
import { MissingTool } from './missing-tool.js'
import { freePort } from '../../bench/service/free-port.js'
import { runCommand } from './run-command.js'
import type { ServerPlan, ServerRecipe } from './server-plan.js'
import type { ServerAccess } from './variables.js'

const OLDEST = 15
const DEBIAN_PROGRAMS = '/usr/lib/postgresql'
const USER = 'alidade'
const MAX_CONNECTIONS = 300

export const postgres: ServerRecipe = {
  fetch: () => Promise.resolve(void programs()),
  prepare
}

/** The folder with `initdb` and `postgres`: the oldest version of Debian's packages that is new enough, else of the path. */
function programs(): string {
  const versions = existsSync(DEBIAN_PROGRAMS) ? readdirSync(DEBIAN_PROGRAMS).map(Number) : []
  const debian = versions
    .filter(version => version >= OLDEST)
    .sort((a, b) => a - b)
    .map(version => join(DEBIAN_PROGRAMS, String(version), 'bin'))
  const folders = [...debian, ...(process.env['PATH'] ?? '').split(delimiter)]
  const found = folders.find(folder => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')))
  if (found === undefined) throw new MissingTool(`PostgreSQL ${OLDEST} or newer is needed (Debian: postgresql-${OLDEST})`)
  return found
}

async function prepare(folder: string): Promise<ServerPlan> {
  const account = unprivilegedAccount()
  const data = join(folder, 'data')
  await mkdir(data)
  await handOver(data, account)
  const initdb = ['-D', data, '-U', USER, '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N']
  await runCommand(join(programs(), 'initdb'), initdb, { account, cwd: folder })
  const lines = [`listen_addresses = '127.0.0.1'`, `unix_socket_directories = ''`, `max_connections = ${MAX_CONNECTIONS}`]
  await appendFile(join(data, 'postgresql.conf'), `${lines.join('\n')}\n`)
  return {
    account,
    stopSignal: 'SIGINT',
    choosePort: freePort,
    command: port => ({ file: join(programs(), 'postgres'), args: ['-D', data, '-p', String(port)], cwd: folder, env: {} }),
    servingPort: output =>
      Number(/listening on IPv4 address "127\.0\.0\.1", port (\d+)/.exec(output)?.[1] ?? Number.NaN) || undefined,
    accessOn: port => ({ url: `postgres://${USER}@127.0.0.1:${port}/postgres` }),
    isReady
  }
}

async function isReady({ url }: ServerAccess): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    return true
  } finally {
    await client.end()
  }
}
