import { access, constants, mkdtemp, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { AgentConfig, DockerSource, JournaldSource } from './config/config.js'
import { keyFileFault } from './config/key-file.js'
import { dockerApi } from './docker/docker-api.js'
import { unreadableFormat } from './files/open-content.js'
import { Source } from './files/source.js'
import { processRightsFault } from './host/process-rights.js'
import { hostId } from './host-id.js'
import { journalName } from './journald/journal-streams.js'
import { journalctl } from './journald/read-journal.js'

const CHECK_TIMEOUT_MS = 5_000
const LABEL_WIDTH = 11

/** A line about one thing that the agent would read. */
interface Finding {
  readonly text: string
  /** Whether the agent cannot read it. */
  readonly isFault: boolean
}

const fine = (text: string): Finding => ({ text, isFault: false })
const fault = (text: string): Finding => ({ text, isFault: true })

async function stateOf(path: string): Promise<Finding> {
  // `access` states why not.
  const stats = await stat(path).catch(() => null)
  if (stats?.isDirectory()) return fine('a folder, which is not read; its files are those of a pattern such as *.log')
  const format = unreadableFormat(path)
  if (format !== null) return fine(`compressed with ${format}, and not read`)
  if (stats !== null && !stats.isFile()) return fine('not a regular file, and not read')
  return access(path, constants.R_OK).then(
    () => fine('readable'),
    (error: NodeJS.ErrnoException) => fault(`not readable (${error.code ?? 'unknown'})`)
  )
}

/** Whether `journalctl` finds entries. */
async function stateOfJournal(source: JournaldSource): Promise<Finding> {
  return journalctl(source.namespace)
    .last(AbortSignal.timeout(CHECK_TIMEOUT_MS))
    .then(
      last => fine(`${journalName(source)}: ${last === null ? 'no entries that this user may read' : 'readable'}`),
      (error: unknown) => fault(`${journalName(source)}: not readable (${String(error)})`)
    )
}

/** Whether the daemon responds. */
async function stateOfDocker({ socket }: DockerSource): Promise<Finding> {
  return dockerApi(socket)
    .containers(AbortSignal.timeout(CHECK_TIMEOUT_MS))
    .then(
      ({ length }) => fine(`${socket}: ${length} containers`),
      (error: unknown) => fault(`${socket}: not readable (${String(error)})`)
    )
}

/** What `--check` prints. */
export interface Checked {
  readonly lines: readonly string[]
  /** Whether the agent can read all that is configured, and write its state. */
  readonly isReadable: boolean
}

/** Why no folder can be made in this one, as in those of the kernel; null when it can, and where it is not there itself. */
async function faultOfNewFolder(folder: string): Promise<string | null> {
  const exists = await access(folder).then(
    () => true,
    // Then the folder above it is checked.
    () => false
  )
  if (!exists) return null
  try {
    await rmdir(await mkdtemp(join(folder, '.alidade-check-')))
    return null
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown'
  }
}

/** Why a folder can neither be written nor made; null when it can. */
async function faultOfFolder(folder: string): Promise<string | null> {
  const code = await access(folder, constants.W_OK).then(
    () => null,
    (error: NodeJS.ErrnoException) => error.code ?? 'unknown'
  )
  const parent = dirname(folder)
  if (code !== 'ENOENT' || parent === folder) return code
  return (await faultOfFolder(parent)) ?? faultOfNewFolder(parent)
}

async function stateOfFolder(folder: string): Promise<Finding> {
  const code = await faultOfFolder(folder)
  return code === null ? fine(folder) : fault(`${folder}: not writable (${code})`)
}

function each(ms: number): string {
  return `each ${ms / 1000} s`
}

type Labelled = readonly [label: string, finding: Finding]

/** What the agent is, and what it reads of the machine. */
async function aboutMachine(config: AgentConfig): Promise<readonly Labelled[]> {
  const { listeners, metrics, namespace } = config
  const { id, from } = hostId()
  const keyFault = keyFileFault(config)
  const rights = processRightsFault() ?? 'with the processes of all users'
  return [
    ['service', fine(config.url)],
    ['namespace', fine(namespace === null ? 'that of the API key' : `${namespace.name} (${namespace.from})`)],
    ['host', fine(config.host)],
    ['host id', fine(`${id}, of ${from}`)],
    ['state', await stateOfFolder(config.stateDir)],
    ...(keyFault === null ? [] : [['API key', fine(keyFault)] as const]),
    ['metrics', fine(metrics.enabled ? each(metrics.intervalMs) : 'off (metrics.enabled)')],
    ['listeners', fine(listeners.enabled ? `${each(listeners.intervalMs)}, ${rights}` : 'off (listeners.enabled)')]
  ]
}

/** What the agent reads of logs. */
async function aboutLogs({ enabled, files, journald, docker }: AgentConfig['logs']): Promise<readonly Labelled[]> {
  if (!enabled) return [['logs', fine('off (logs.enabled)')]]
  const found: Labelled[] = []
  for (const file of files) {
    const unreadable = new Map<string, string>()
    const paths = await new Source(file).paths((path, code) => unreadable.set(path, code))
    const count = paths.length + unreadable.size === 0 ? 'none yet' : `${paths.length} found`
    found.push(['files', fine(`${file.path} (${file.format}): ${count}`)])
    for (const [path, code] of unreadable) found.push(['', fault(`${path}: not readable (${code})`)])
    for (const path of paths) {
      const { text, isFault } = await stateOf(path)
      found.push(['', { text: `${path}: ${text}`, isFault }])
    }
  }
  if (journald !== null) found.push(['journal', await stateOfJournal(journald)])
  if (docker !== null) found.push(['docker', await stateOfDocker(docker)])
  return found.length > 0 ? found : [['logs', fine('no files, journal or containers are configured')]]
}

/** What the agent would do with a configuration, a line each. */
export async function checkConfig(config: AgentConfig): Promise<Checked> {
  const all = [...(await aboutMachine(config)), ...(await aboutLogs(config.logs))]
  return {
    lines: all.map(([label, { text }]) => label.padEnd(LABEL_WIDTH) + text),
    isReadable: all.every(([, { isFault }]) => !isFault)
  }
}
