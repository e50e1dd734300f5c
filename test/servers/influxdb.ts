import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../bench/service/free-port.js'
import { cached } from './cache.js'
import { MissingTool, requireTool } from './missing-tool.js'
import { runCommand } from './run-command.js'
import type { ServerCommand, ServerRecipe } from './server-plan.js'
import type { ServerAccess } from './variables.js'

/** Built from its sources as Go modules: no package registry carries the program of version 2. */
const VERSION = 'v2.9.1'
const PKG_CONFIG_VERSION = 'v0.3.0'
/** Older ones cannot compile it: Go 1.25, Rust 1.83. */
const GO_MINOR = 25
const RUST_MINOR = 83
const HEALTH_TIMEOUT_MS = 3_000
const ORG = 'alidade'
const TOKEN = 'alidade-test-token'

export const influxdb: ServerRecipe = {
  fetch: async () => {
    await program()
  },
  prepare: async folder => {
    const file = join(await program(), 'influxd')
    return {
      account: undefined,
      stopSignal: 'SIGTERM',
      choosePort: freePort,
      command: port => command(file, folder, port),
      servingPort: output => Number(/msg=Listening .*transport=http .*port=(\d+)/.exec(output)?.[1] ?? Number.NaN) || undefined,
      accessOn: port => ({ url: `http://127.0.0.1:${port}`, token: TOKEN, org: ORG }),
      isReady,
      setUp
    }
  }
}

function command(file: string, folder: string, port: number): ServerCommand {
  return {
    file,
    args: [
      ...['--http-bind-address', `127.0.0.1:${port}`, '--engine-path', join(folder, 'engine')],
      ...['--bolt-path', join(folder, 'influxd.bolt'), '--sqlite-path', join(folder, 'influxd.sqlite')],
      ...['--reporting-disabled', '--ui-disabled', '--pprof-disabled', '--no-tasks']
    ],
    cwd: folder,
    env: { HOME: folder }
  }
}

async function isReady({ url }: ServerAccess): Promise<boolean> {
  const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) })
  return ((await response.json()) as { status: string }).status === 'pass'
}

/** Makes the first user with a known token; a server that has one returns 422. */
async function setUp({ url }: ServerAccess): Promise<void> {
  const body = { username: 'alidade', password: 'alidade-test', org: ORG, bucket: 'first', token: TOKEN }
  const response = await fetch(`${url}/api/v2/setup`, { method: 'POST', body: JSON.stringify(body) })
  const isDone = response.status === 201 || response.status === 422
  if (!isDone) throw new Error(`setting InfluxDB up returned ${response.status}: ${await response.text()}`)
}

function program(): Promise<string> {
  return cached(`influxdb-${VERSION}`, async part => {
    await requireTools()
    const work = join(part, 'build')
    await mkdir(work)
    await build(work, join(part, 'influxd'))
    await runCommand('rm', ['-rf', work])
  })
}

async function requireTools(): Promise<void> {
  const go = await requireTool('go', ['version'], `Go 1.${GO_MINOR} or newer is needed to build InfluxDB`)
  if (minorOf(go, /go1\.(\d+)/) < GO_MINOR) throw new MissingTool(`Go 1.${GO_MINOR} or newer is needed to build InfluxDB`)
  const rust = await requireTool('cargo', ['--version'], `Rust 1.${RUST_MINOR} or newer is needed to build InfluxDB`)
  if (minorOf(rust, /cargo 1\.(\d+)/) < RUST_MINOR)
    throw new MissingTool(`Rust 1.${RUST_MINOR} or newer is needed to build InfluxDB`)
  await requireTool('gcc', ['--version'], 'gcc is needed to build InfluxDB')
}

function minorOf(version: string, pattern: RegExp): number {
  return Number(pattern.exec(version)?.[1] ?? 0)
}

/** The query engine's sources request an old Rust from rustup by its number; the installed one will do. */
async function installedToolchain(): Promise<Record<string, string>> {
  const active = await runCommand('rustup', ['show', 'active-toolchain']).catch(() => '')
  const name = active.split(/\s/)[0]
  return name ? { RUSTUP_TOOLCHAIN: name } : {}
}

/** InfluxDB's query engine is partly Rust; a program of its own, in the place of pkg-config, builds that part. */
async function build(work: string, output: string): Promise<void> {
  const cargo = join(work, 'cargo-flux')
  const pkgConfig = join(work, 'pkg-config')
  const env = { GOFLAGS: '-mod=mod', CGO_ENABLED: '1', ...(await installedToolchain()) }
  const go = (args: readonly string[], more = {}) => runCommand('go', args, { cwd: work, env: { ...env, ...more } })
  await writeFile(cargo, '#!/bin/sh\nexec cargo "$@" -p flux --no-default-features --features cffi\n', { mode: 0o755 })
  await go(['mod', 'init', 'local/influxd'])
  await go([
    ...['get', '-tool', `github.com/influxdata/influxdb/v2/cmd/influxd@${VERSION}`],
    `github.com/influxdata/pkg-config@${PKG_CONFIG_VERSION}`
  ])
  await go(['build', '-o', pkgConfig, 'github.com/influxdata/pkg-config'])
  await go(
    [
      ...['build', '-tags', 'sqlite_foreign_keys,sqlite_json', '-ldflags', `-s -w -X main.version=${VERSION}`],
      ...['-o', output, 'github.com/influxdata/influxdb/v2/cmd/influxd']
    ],
    { PKG_CONFIG: pkgConfig, PKG_CONFIG_LOG: join(work, 'pkg-config.log'), CARGO: cargo }
  )
}
