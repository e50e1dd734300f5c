/** `npm run servers`: real servers for tests and for people; `--help` reports how. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { cacheFolder } from './cache.js'
import { fetchServers, startServers, type ServersUp } from './start-servers.js'
import { SERVER_NAMES, type ServerName } from './variables.js'

const HELP = `npm run servers [-- names and options]
  names                   ${SERVER_NAMES.join(' ')} (all without a name)
  --opensearch-nodes N    nodes of OpenSearch (1)
  --fetch                 fill the cache only: ${cacheFolder()}
  --detach                leave the servers running: eval "$(npm run -s servers -- --detach)" sets their variables,
                          and TEST_SERVERS_PID stops them
Prints the variables that name the servers, and stops them at Ctrl-C. A server that this machine cannot run is
skipped with a sentence; with REQUIRE_STORES=1 that is a failure.
`

async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      help: { type: 'boolean' },
      fetch: { type: 'boolean' },
      detach: { type: 'boolean' },
      detached: { type: 'boolean' },
      'opensearch-nodes': { type: 'string', default: '1' }
    }
  })
  if (values.help) process.stdout.write(HELP)
  else if (values.fetch) await fetchServers(toNames(positionals), isRequired(), report)
  else if (values.detach) await detach([...args.filter(arg => arg !== '--detach'), '--detached'])
  else await serve(toNames(positionals), Number(values['opensearch-nodes']), values.detached ?? false)
}

function toNames(given: readonly string[]): readonly ServerName[] {
  const unknown = given.find(name => !SERVER_NAMES.includes(name as ServerName))
  if (unknown !== undefined) throw new Error(`there is no server ${unknown}; choose from ${SERVER_NAMES.join(' ')}`)
  return given.length === 0 ? SERVER_NAMES : (given as ServerName[])
}

function isRequired(): boolean {
  return process.env['REQUIRE_STORES'] === '1'
}

function report(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** Runs until a signal; or until the parent that sent the request over IPC is gone, unless it has detached this process. */
async function serve(names: readonly ServerName[], openSearchNodes: number, isDetached: boolean): Promise<void> {
  const isFollower = process.send !== undefined && !isDetached
  const end = Promise.race([
    once(process, 'SIGINT'),
    once(process, 'SIGTERM'),
    ...(isFollower ? [once(process, 'disconnect')] : [])
  ])
  // Terminals and wrappers may repeat a signal; the second one shall not cut the stop short.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
  const starting = startServers(names, { openSearchNodes }, isRequired(), report)
  // A signal during the start ends the process; what has been started goes with it.
  const up = await Promise.race([starting, end.then(() => undefined)])
  if (up) {
    announce(up)
    await end
    await up.stop()
    if (isDetached) await rm(environmentFile(process.pid), { force: true })
  }
  process.exit(0)
}

function announce({ variables }: ServersUp): void {
  if (process.send) process.send(variables)
  else process.stdout.write(exportLines(variables))
}

function exportLines(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}=${value}\n`)
    .join('')
}

function environmentFile(pid: number | undefined): string {
  return join(tmpdir(), `alidade-servers-${pid}.env`)
}

async function detach(args: readonly string[]): Promise<void> {
  const child = fork(fileURLToPath(import.meta.url), args, { detached: true, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  // Not inherited: a pipe of the caller's would stay open for as long as the servers run.
  child.stderr?.pipe(process.stderr)
  const [variables] = await Promise.race([
    once(child, 'message') as Promise<[Record<string, string>]>,
    once(child, 'exit').then(() => Promise.reject(new Error('the servers did not start')))
  ])
  const file = environmentFile(child.pid)
  await writeFile(`${file}.part`, exportLines({ ...variables, TEST_SERVERS_PID: String(child.pid) }), { mode: 0o600 })
  await rename(`${file}.part`, file)
  process.stdout.write(`. ${file} # to stop: kill ${child.pid}\n`)
  process.exit(0)
}

await main(process.argv.slice(2)).catch((error: unknown) => {
  report(error instanceof Error ? error.message : String(error))
  process.exit(1)
})
