/** One system call of a trace. `begun` and `ended` are positions in the trace: what ended before another began came first. */
export interface SystemCall {
  readonly name: string
  /** Path behind the first file descriptor, or the first quoted path (openat, mkdir, unlink, rename). */
  readonly path: string
  /** Everything between the parentheses, strings as the tracer escapes them. */
  readonly args: string
  readonly result: string
  readonly begun: number
  readonly ended: number
}

/** Options of the tracer: what to record; `-y` gives paths for file descriptors, `-s` whole strings. */
export const STRACE = [
  'strace',
  '-f',
  '-y',
  '--seccomp-bpf',
  '-s',
  '65536',
  '-e',
  'trace=write,pwrite64,writev,pwritev,sendto,sendmsg,fsync,fdatasync,sync_file_range,openat,mkdir,mkdirat,rename,renameat,renameat2,unlink,ftruncate'
] as const

const LINE = /^(\d+) +(\w+)\((.*)$/
const RESUMED = /^(\d+) +<\.\.\. (\w+) resumed>(.*)$/
const UNFINISHED = / <unfinished \.\.\.>$/
const RESULT = /^(.*)\) += (\S+.*)$/
const BY_NAME = new Set(['openat', 'mkdir', 'mkdirat', 'rename', 'renameat', 'renameat2', 'unlink'])

/** Reads what `strace -f -o` wrote, joining calls that were interrupted by other threads. */
export function parseTrace(text: string): SystemCall[] {
  const calls: SystemCall[] = []
  const open = new Map<string, { name: string; args: string; begun: number }>()
  const add = (name: string, rest: string, begun: number, ended: number): void => {
    const [, args, result] = RESULT.exec(rest) ?? []
    if (args !== undefined) calls.push({ name, args, result: result!, path: pathOf(name, args), begun, ended })
  }
  for (const [at, line] of text.split('\n').entries()) {
    const resumed = RESUMED.exec(line)
    if (resumed) {
      const begun = open.get(resumed[1]!)
      open.delete(resumed[1]!)
      if (begun) add(begun.name, begun.args + resumed[3]!, begun.begun, at)
      continue
    }
    const [, pid, name, rest] = LINE.exec(line) ?? []
    if (pid === undefined) continue
    if (UNFINISHED.test(rest!)) open.set(pid, { name: name!, args: rest!.replace(UNFINISHED, ''), begun: at })
    else add(name!, rest!, at, at)
  }
  return calls.sort((a, b) => a.ended - b.ended)
}

function pathOf(name: string, args: string): string {
  if (BY_NAME.has(name)) return [...args.matchAll(/"((?:[^"\\]|\\.)*)"/g)].at(name.startsWith('rename') ? -1 : 0)?.[1] ?? ''
  return /^\d+<([^>]*)>/.exec(args)?.[1] ?? ''
}

export function isWrite(call: SystemCall): boolean {
  return ['write', 'pwrite64', 'writev', 'pwritev', 'ftruncate'].includes(call.name) && !call.result.startsWith('-1')
}

export function isSync(call: SystemCall): boolean {
  return (call.name === 'fsync' || call.name === 'fdatasync') && call.result.startsWith('0')
}
