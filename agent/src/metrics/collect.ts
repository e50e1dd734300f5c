import { readdirSync, readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { AgentConfig } from '../config/config.js'
import type { AgentStatus } from '../status/agent-status.js'
import { ContainerCollector, type ContainerCollectorOptions } from './container-collector.js'
import type { ContainerFiles } from './containers.js'
import { LIMITS } from '../limits.js'
import { type CpuTimes, cpuPoints, eachCpuPoints, loadPoints, parseCpuTimes, uptimePoints } from './cpu.js'
import { diskPoints } from './disk.js'
import { filesystemPoints, type FilesystemSize, parseDiskTypes, parseMounts } from './filesystem.js'
import { memoryPoints, pagingPoints, parseNumbers } from './memory.js'
import { gauge, counter, type MetricPoint } from './metric-point.js'
import { connectionPoints, networkPoints } from './network.js'
import { type Process, processPoints, type ProcessRead } from './processes.js'
import { PROC_FILES } from '../proc-files.js'
import { readPageBytes, readProcesses } from './read-processes.js'

/** What a collector reads of the system. */
export interface SystemFiles {
  readonly containers: ContainerFiles
  /** @param known of an earlier read: their users are not looked up again. */
  readonly processes: (known: readonly Process[]) => Promise<readonly Process[]>
  readonly pageBytes: () => Promise<number>
  /** Rejects for a file that is not there. */
  readonly read: (path: string) => Promise<string>
  readonly names: (folder: string) => Promise<readonly string[]>
  readonly size: (mountpoint: string) => Promise<FilesystemSize>
  /** Of a clock that does not jump. */
  readonly elapsedMs: () => number
}

/** What the agent knows of its own work. */
export type OwnFigures = Pick<AgentStatus, 'counters' | 'retries' | 'sources'>

export interface CollectorOptions {
  readonly config: Omit<AgentConfig['metrics'], 'enabled' | 'intervalMs'>
  /** What the runtime of containers states of them. */
  readonly namedContainers: ContainerCollectorOptions['named']
  readonly own: () => Promise<OwnFigures>
  readonly onFault: (part: string, error: unknown) => void
}

/** After which the users of all processes are looked up again: a process may change its own. */
const USERS_KEPT_MS = 5 * 60_000
/** Of both versions of IP; the second one is absent on a machine without IPv6. */
const SOCKET_FILES = ['/proc/net/sockstat', '/proc/net/sockstat6']
/** The statistics of a cgroup with hundreds of devices. */
const MAX_CGROUP_BYTES = 256 * 1024

/** None for a folder that is not there or may not be read. */
function folderNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap(one => (one.isDirectory() ? [one.name] : []))
  } catch {
    // Not there, or not readable.
    return []
  }
}

/** Files of `/proc` are in memory: to read one takes a few microseconds, over the thread pool ten times that. */
export const SYSTEM_FILES: Omit<SystemFiles, 'elapsedMs'> = {
  containers: {
    read: path => PROC_FILES.read(path, MAX_CGROUP_BYTES),
    folders: folderNames,
    link: path => PROC_FILES.link(path)
  },
  processes: known => readProcesses(known),
  pageBytes: readPageBytes,
  read: async path => readFileSync(path, 'utf8'),
  names: async folder => readdirSync(folder),
  size: mountpoint => statfs(mountpoint)
}

const MICROSECONDS = 1_000_000

/** The agent itself. */
function ownPoints({ counters, retries, sources }: OwnFigures): readonly MetricPoint[] {
  const { user, system } = process.cpuUsage()
  return [
    counter('alidade.agent.cpu.time', (user + system) / MICROSECONDS),
    gauge('alidade.agent.memory.usage', process.memoryUsage.rss()),
    counter('alidade.agent.lines', counters.lines),
    counter('alidade.agent.bytes', counters.bytes),
    counter('alidade.agent.gaps', counters.gaps),
    counter('alidade.agent.retries', retries),
    ...sources.flatMap(({ path, lagBytes }) =>
      lagBytes === null ? [] : [gauge('alidade.agent.lag_bytes', lagBytes, { source: path })]
    )
  ]
}

/** Collects the metrics of this machine. A part that cannot be read is left out and reported; the others are not. */
export class MetricCollector {
  readonly #files: SystemFiles
  readonly #options: CollectorOptions
  readonly #containers: ContainerCollector
  #cpu: CpuTimes | null = null
  #processes: ProcessRead | null = null
  #usersReadMs = Number.NEGATIVE_INFINITY
  #pageBytes: number | null = null

  constructor(files: SystemFiles, options: CollectorOptions) {
    this.#files = files
    this.#options = options
    const onCut = (): void =>
      options.onFault('container', new Error(`more than ${LIMITS.containers} containers or ${LIMITS.cgroupFolders} cgroups`))
    const { elapsedMs } = files
    this.#containers = new ContainerCollector({ files: files.containers, elapsedMs, named: options.namedContainers, onCut })
  }

  async collect(): Promise<readonly MetricPoint[]> {
    const { read, names } = this.#files
    const { allInterfaces, containers, perCpu } = this.#options.config
    // Those whose number of series has no bound are the last.
    const parts: Readonly<Record<string, () => Promise<readonly MetricPoint[]>>> = {
      own: async () => ownPoints(await this.#options.own()),
      cpu: () => this.#cpuPoints(),
      load: async () => loadPoints(await read('/proc/loadavg')),
      uptime: async () => uptimePoints(await read('/proc/uptime')),
      memory: async () => memoryPoints(parseNumbers(await read('/proc/meminfo'))),
      paging: async () => pagingPoints(parseNumbers(await read('/proc/vmstat'))),
      processes: () => this.#processPoints(),
      connections: async () => connectionPoints((await this.#readAll(SOCKET_FILES)).join('\n')),
      ...(containers && { container: () => this.#containers.collect() }),
      disk: async () => diskPoints(await read('/proc/diskstats'), new Set(await names('/sys/block'))),
      network: async () => networkPoints(await read('/proc/net/dev'), allInterfaces),
      filesystem: () => this.#filesystemPoints(),
      ...(perCpu && { 'each cpu': async () => eachCpuPoints(await read('/proc/stat')) })
    }
    const points: MetricPoint[] = []
    for (const [part, collect] of Object.entries(parts)) {
      try {
        points.push(...(await collect()))
      } catch (error) {
        this.#options.onFault(part, error)
      }
    }
    return points
  }

  /** What there is of some files. */
  async #readAll(paths: readonly string[]): Promise<readonly string[]> {
    // Kernels differ in what they have.
    return Promise.all(paths.map(path => this.#files.read(path).catch(() => '')))
  }

  async #cpuPoints(): Promise<readonly MetricPoint[]> {
    const now = parseCpuTimes(await this.#files.read('/proc/stat'))
    if (now === null) return []
    const points = cpuPoints(this.#cpu, now)
    this.#cpu = now
    return points
  }

  async #processPoints(): Promise<readonly MetricPoint[]> {
    this.#pageBytes ??= await this.#files.pageBytes()
    const startedMs = this.#files.elapsedMs()
    const isKnown = startedMs - this.#usersReadMs < USERS_KEPT_MS
    if (!isKnown) this.#usersReadMs = startedMs
    const known = isKnown ? (this.#processes?.processes ?? []) : []
    const now = { processes: await this.#files.processes(known), atMs: this.#files.elapsedMs() }
    const points = processPoints(this.#processes, now, { top: this.#options.config.topProcesses, pageBytes: this.#pageBytes })
    this.#processes = now
    return points
  }

  async #filesystemPoints(): Promise<readonly MetricPoint[]> {
    const types = parseDiskTypes(await this.#files.read('/proc/filesystems'))
    const mounts = parseMounts(await this.#files.read('/proc/self/mounts'), types)
    const points: MetricPoint[] = []
    for (const mount of mounts) {
      try {
        points.push(...filesystemPoints(mount, await this.#files.size(mount.mountpoint)))
      } catch (error) {
        this.#options.onFault(`filesystem ${mount.mountpoint}`, error)
      }
    }
    return points
  }
}
