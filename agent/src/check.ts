import { access, constants, stat } from 'node:fs/promises'
import type { AgentConfig, DockerSource, JournaldSource } from './config/config.js'
import { dockerApi } from './docker/docker-api.js'
import { Source } from './files/source.js'
import { journalName } from './journald/journal-streams.js'
import { journalctl } from './journald/read-journal.js'

const CHECK_TIMEOUT_MS = 5_000

async function stateOf(path: string): Promise<string> {
  const stats = await stat(path).catch(() => null)
  if (stats?.isDirectory()) return 'a folder, which is not read; its files are those of a pattern such as *.log'
  if (stats !== null && !stats.isFile()) return 'not a regular file, and not read'
  return access(path, constants.R_OK).then(
    () => 'readable',
    (error: NodeJS.ErrnoException) => `not readable (${error.code ?? 'unknown'})`
  )
}

/** Whether `journalctl` finds entries. */
async function stateOfJournal(source: JournaldSource): Promise<string> {
  return journalctl(source.namespace)
    .last(AbortSignal.timeout(CHECK_TIMEOUT_MS))
    .then(
      last => `${journalName(source)}: ${last === null ? 'no entries that this user may read' : 'readable'}`,
      (error: unknown) => `${journalName(source)}: not readable (${String(error)})`
    )
}

/** Whether the daemon responds. */
async function stateOfDocker({ socket }: DockerSource): Promise<string> {
  return dockerApi(socket)
    .containers(AbortSignal.timeout(CHECK_TIMEOUT_MS))
    .then(
      ({ length }) => `${socket}: ${length} containers`,
      (error: unknown) => `${socket}: not readable (${String(error)})`
    )
}

/** What the agent would do with a configuration, a line each. */
export async function checkConfig(config: AgentConfig): Promise<readonly string[]> {
  const { namespace } = config
  const lines = [
    `service    ${config.url}`,
    `namespace  ${namespace === null ? 'that of the API key' : `${namespace.name} (${namespace.from})`}`,
    `host       ${config.host}`,
    `state      ${config.stateDir}`
  ]
  for (const file of config.logs.files) {
    const paths = await new Source(file).paths()
    lines.push(`files      ${file.path} (${file.format}): ${paths.length === 0 ? 'none yet' : `${paths.length} found`}`)
    for (const path of paths) lines.push(`           ${path}: ${await stateOf(path)}`)
  }
  if (config.logs.journald !== null) lines.push(`journal    ${await stateOfJournal(config.logs.journald)}`)
  if (config.logs.docker !== null) lines.push(`docker     ${await stateOfDocker(config.logs.docker)}`)
  return lines
}
