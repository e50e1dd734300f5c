import { PROC_FILES } from '../proc-files.js'

/** Bits of `/proc/<pid>/status` (include/uapi/linux/capability.h): open files of other users are read with both. */
const CAPABILITIES = [
  ['CAP_DAC_READ_SEARCH', 1n << 2n],
  ['CAP_SYS_PTRACE', 1n << 19n]
] as const
const EFFECTIVE = /^CapEff:\s+([0-9a-f]+)$/m

/** What the agent cannot see of the processes of other users, and the remedy; null when it can, and where that is not known. */
export function processRightsFault(read: (path: string) => string = path => PROC_FILES.read(path)): string | null {
  const [, bits] = EFFECTIVE.exec(read('/proc/self/status')) ?? []
  if (bits === undefined) return null
  const effective = BigInt(`0x${bits}`)
  const missing = CAPABILITIES.filter(([, bit]) => (effective & bit) === 0n).map(([name]) => name)
  if (missing.length === 0) return null
  return `listeners and open files of other users have no process: run the agent as root, or with ${missing.join(' and ')}`
}
