import { access, constants, stat } from 'node:fs/promises'
import type { AgentConfig, DockerSource, JournaldSource } from './config/config.js'
import { keyFileFault } from './config/key-file.js'
import { dockerApi } from './docker/docker-api.js'
import { unreadableFormat } from './files/open-content.js'
import { Source } from './files/source.js'
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
  /** Whether the agent can read all that is configured. */
  readonly isReadable: boolean
}

/** What the agent would do with a configuration, a line each. */
export async function checkConfig(config: AgentConfig): Promise<Checked> {
  const { namespace } = config
  const findings: Finding[] = []
  const add = (label: string, { text, isFault }: Finding): void =>
    void findings.push({ text: `${label.padEnd(LABEL_WIDTH)}${text}`, isFault })
  add('service', fine(config.url))
  add('namespace', fine(namespace === null ? 'that of the API key' : `${namespace.name} (${namespace.from})`))
  add('host', fine(config.host))
  add('state', fine(config.stateDir))
  const keyFault = keyFileFault(config)
  if (keyFault !== null) add('API key', fine(keyFault))
  for (const file of config.logs.files) {
    const paths = await new Source(file).paths()
    add('files', fine(`${file.path} (${file.format}): ${paths.length === 0 ? 'none yet' : `${paths.length} found`}`))
    for (const path of paths) {
      const { text, isFault } = await stateOf(path)
      add('', { text: `${path}: ${text}`, isFault })
    }
  }
  if (config.logs.journald !== null) add('journal', await stateOfJournal(config.logs.journald))
  if (config.logs.docker !== null) add('docker', await stateOfDocker(config.logs.docker))
  return { lines: findings.map(({ text }) => text), isReadable: findings.every(({ isFault }) => !isFault) }
}
