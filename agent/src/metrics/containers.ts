import { containerIdOf } from '../listeners/cgroup.js'
import { counter, gauge, type MetricPoint } from './metric-point.js'

type Labels = MetricPoint['labels']

/** What is read of containers; strings are empty, and lists too, for what is not there or may not be read. */
export interface ContainerFiles {
  readonly read: (path: string) => string
  /** Folders in a folder. */
  readonly folders: (folder: string) => readonly string[]
  /** Target of a symbolic link. */
  readonly link: (path: string) => string
}

/** A cgroup of a container. */
export interface ContainerGroup {
  /** 64 digits. */
  readonly id: string
  /** Path below the root of cgroups, or of a controller of version 1. */
  readonly path: string
}

/** Containers, and whether there are more than the limit, or more folders than were looked at. */
export interface ContainerGroups {
  readonly groups: readonly ContainerGroup[]
  readonly isCut: boolean
}

const ROOT = '/sys/fs/cgroup'
/** Kubernetes has containers in the fifth folder: slices of pods, of their quality of service, of the pod, the scope. */
const MAX_DEPTH = 6
const NS_PER_S = 1e9
const US_PER_S = 1e6
/** Version 1 has no limit at about 2^63. */
const NO_LIMIT = 2 ** 62

/** Whether there is one tree of cgroups for all controllers. */
export function isUnified({ read }: Pick<ContainerFiles, 'read'>): boolean {
  return read(`${ROOT}/cgroup.controllers`) !== ''
}

/** Finds cgroups that are named after the id of a container: of Docker, containerd, CRI-O and Podman. */
export function findContainers(
  files: ContainerFiles,
  limits: { readonly containers: number; readonly folders: number }
): ContainerGroups {
  const root = isUnified(files) ? ROOT : `${ROOT}/memory`
  const found = new Map<string, ContainerGroup>()
  const open = [{ parent: '', depth: 0 }]
  let looks = 0
  // The list grows while it is read: folders that are near to the root are the first.
  for (const { parent, depth } of open) {
    if (++looks > limits.folders) return { groups: [...found.values()], isCut: true }
    for (const name of files.folders(root + parent)) {
      const path = `${parent}/${name}`
      const id = containerIdOf(path)
      if (id !== null) found.set(id, { id, path })
      else if (depth + 1 < MAX_DEPTH) open.push({ parent: path, depth: depth + 1 })
    }
    if (found.size > limits.containers) return { groups: [...found.values()].slice(0, limits.containers), isCut: true }
  }
  return { groups: [...found.values()], isCut: false }
}

/** A number that is all of a file; null for any other text, such as `max`. */
function numberIn(text: string): number | null {
  return /^\d+\s*$/.test(text) ? Number(text) : null
}

/** The number after a name in a file of lines. */
function memberOf(text: string, name: string): number | null {
  const line = text.split('\n').find(one => one.startsWith(`${name} `))
  return line === undefined ? null : numberIn(line.slice(name.length + 1))
}

/** Processor time of a container since its start, in seconds; null when it has ended. */
export function cpuSeconds({ read }: ContainerFiles, { path }: ContainerGroup, unified: boolean): number | null {
  const time = unified
    ? memberOf(read(`${ROOT}${path}/cpu.stat`), 'usage_usec')
    : numberIn(read(`${ROOT}/cpuacct${path}/cpuacct.usage`))
  return time === null ? null : time / (unified ? US_PER_S : NS_PER_S)
}

/** Memory that is not given back when others need it, as `docker stats` and Kubernetes have it. */
function memoryPoints({ read }: ContainerFiles, path: string, unified: boolean, labels: Labels): readonly MetricPoint[] {
  const folder = `${ROOT}${unified ? '' : '/memory'}${path}`
  const usage = numberIn(read(`${folder}/${unified ? 'memory.current' : 'memory.usage_in_bytes'}`))
  if (usage === null) return []
  const inactive = memberOf(read(`${folder}/memory.stat`), unified ? 'inactive_file' : 'total_inactive_file') ?? 0
  const used = Math.max(0, usage - inactive)
  const limit = numberIn(read(`${folder}/${unified ? 'memory.max' : 'memory.limit_in_bytes'}`))
  const usagePoint = gauge('container.memory.usage', used, labels)
  if (limit === null || limit === 0 || limit >= NO_LIMIT) return [usagePoint]
  const percent = gauge('container.memory.usage_percent', (used / limit) * 100, labels)
  return [usagePoint, gauge('container.memory.limit', limit, labels), percent]
}

/** Bytes that all devices read and wrote. */
function diskPoints({ read }: ContainerFiles, path: string, unified: boolean, labels: Labels): readonly MetricPoint[] {
  const text = read(unified ? `${ROOT}${path}/io.stat` : `${ROOT}/blkio${path}/blkio.throttle.io_service_bytes`)
  if (text === '') return []
  const sum = (pattern: RegExp): number => [...text.matchAll(pattern)].reduce((all, [, bytes]) => all + Number(bytes), 0)
  const [reads, writes] = unified ? [/\brbytes=(\d+)/g, /\bwbytes=(\d+)/g] : [/^\S+ Read (\d+)$/gm, /^\S+ Write (\d+)$/gm]
  return [
    counter('container.disk.io', sum(reads), { ...labels, direction: 'read' }),
    counter('container.disk.io', sum(writes), { ...labels, direction: 'write' })
  ]
}

/** Bytes of all devices but the loop back; none for a container in the network of the host, which has them itself. */
function networkPoints({ read, link }: ContainerFiles, pid: string, labels: Labels): readonly MetricPoint[] {
  const network = link(`/proc/${pid}/ns/net`)
  if (network === '' || network === link('/proc/self/ns/net')) return []
  const bytes = { receive: 0, transmit: 0 }
  for (const line of read(`/proc/${pid}/net/dev`).split('\n')) {
    const [, device, numbers] = /^\s*([^:\s]+):\s*(.*)$/.exec(line) ?? []
    if (device === undefined || device === 'lo') continue
    const columns = numbers!.trim().split(/\s+/).map(Number)
    bytes.receive += columns[0] ?? 0
    bytes.transmit += columns[8] ?? 0
  }
  return Object.entries(bytes).map(([direction, count]) => counter('container.network.io', count, { ...labels, direction }))
}

/** Metrics of one container; those that the kernel does not have are left out. None when it has ended. */
export function containerPoints(
  files: ContainerFiles,
  { path }: ContainerGroup,
  unified: boolean,
  labels: Labels
): readonly MetricPoint[] {
  const procs = files.read(`${ROOT}${unified ? '' : '/memory'}${path}/cgroup.procs`)
  const [pid] = /^\d+/.exec(procs) ?? []
  return [
    ...memoryPoints(files, path, unified, labels),
    ...diskPoints(files, path, unified, labels),
    ...(pid === undefined ? [] : networkPoints(files, pid, labels))
  ]
}
