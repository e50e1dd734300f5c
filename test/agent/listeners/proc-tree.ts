import type { ProcFiles } from '../../../agent/src/proc-files.js'

/** A process of a recorded tree. */
export interface RecordedProcess {
  readonly name?: string
  readonly cmdline?: string
  readonly exe?: string
  readonly cgroup?: string
  readonly environ?: string
  readonly uid?: number
  /** What its files lead to, by number. */
  readonly fds?: Readonly<Record<string, string>>
  /** Network namespace; that of the agent by default. */
  readonly net?: string
}

const HEAD =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode                                                     '

/** A line of `/proc/net/tcp` or its like. */
export function socketLine(local: string, state: string, inode: number): string {
  const remote = local.length > 20 ? `${'0'.repeat(32)}:0000` : '00000000:0000'
  return `   0: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000  1000        0 ${inode} 1 0000000000000000 100 0 0 10 0`
}

/** A table of sockets with its head. */
export function socketTable(...lines: readonly string[]): string {
  return `${[HEAD, ...lines].join('\n')}\n`
}

/** `/proc` as a tree in memory, which counts what is read of it. */
export class ProcTree implements ProcFiles {
  processes: Readonly<Record<number, RecordedProcess>>
  /** Tables by network namespace and name. */
  tables: Readonly<Record<string, Readonly<Record<string, string>>>>
  passwd = 'root:x:0:0::/root:/bin/sh\napp:x:1000:1000::/:/bin/sh\n'
  /** Files of processes that were looked at. */
  looks = 0

  constructor(processes: ProcTree['processes'], tables: ProcTree['tables']) {
    this.processes = processes
    this.tables = tables
  }

  read(path: string): string {
    if (path === '/etc/passwd') return this.passwd
    const [, , pid = '', ...rest] = path.split('/')
    const file = rest.join('/')
    if (file.startsWith('net/')) return this.tables[this.#netOf(pid)]?.[file.slice(4)] ?? ''
    const process = this.processes[Number(pid)]
    if (process === undefined) return ''
    if (file === 'stat') return `${pid} (${process.name ?? 'app'}) S 1 ${Array(22).fill(0).join(' ')}\n`
    if (file === 'cmdline') return process.cmdline ?? ''
    if (file === 'cgroup') return process.cgroup ?? ''
    return file === 'environ' ? (process.environ ?? '') : ''
  }

  record(path: string): string {
    return this.read(path)
  }

  names(folder: string): readonly string[] {
    if (folder === '/proc') return ['net', 'self', ...Object.keys(this.processes).toReversed()]
    const [, , pid = '', file] = folder.split('/')
    return file === 'fd' ? Object.keys(this.processes[Number(pid)]?.fds ?? {}) : []
  }

  link(path: string): string {
    const [, , pid = '', kind, name = ''] = path.split('/')
    if (kind === 'ns') return pid === 'self' || this.processes[Number(pid)] !== undefined ? this.#netOf(pid) : ''
    if (kind === 'exe') return this.processes[Number(pid)]?.exe ?? ''
    this.looks++
    return this.processes[Number(pid)]?.fds?.[name] ?? ''
  }

  owner(path: string): number | null {
    return this.processes[Number(path.split('/')[2])]?.uid ?? 0
  }

  openFiles(pid: string): number | null {
    return Object.keys(this.processes[Number(pid)]?.fds ?? {}).length
  }

  #netOf(pid: string): string {
    return (pid === 'self' ? undefined : this.processes[Number(pid)]?.net) ?? 'net:[1]'
  }
}
