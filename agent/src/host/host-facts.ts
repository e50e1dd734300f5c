import { readFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'

/** What the machine is. */
export interface HostFacts {
  /** As `Debian GNU/Linux 13 (trixie)`. */
  readonly os: string | null
  readonly kernel: string
  /** By OpenTelemetry's names: `amd64`, `arm64`. */
  readonly arch: string
  readonly cpuCount: number
  readonly memoryBytes: number
  readonly bootAtMs: number | null
}

const ARCHITECTURES: Readonly<Partial<Record<NodeJS.Architecture, string>>> = {
  x64: 'amd64',
  ia32: 'x86',
  arm: 'arm32',
  s390x: 's390x'
}
const PRETTY_NAME = /^PRETTY_NAME=(?:"([^"\n]*)"|'([^'\n]*)'|([^\n]*))$/m
const BOOT_TIME = /^btime (\d+)$/m

/** The name of the system in `os-release`; null without one. */
export function parseOsName(text: string): string | null {
  const [, quoted, single, plain] = PRETTY_NAME.exec(text) ?? []
  const name = (quoted ?? single ?? plain ?? '').trim()
  return name === '' ? null : name
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // Not each system has it.
    return ''
  }
}

/** Facts of this machine; they change by a start of it. */
export function hostFacts(read: (path: string) => string = readText): HostFacts {
  const [, bootS] = BOOT_TIME.exec(read('/proc/stat')) ?? []
  return {
    os: parseOsName(read('/etc/os-release')) ?? parseOsName(read('/usr/lib/os-release')),
    kernel: release(),
    arch: ARCHITECTURES[process.arch] ?? process.arch,
    cpuCount: cpus().length,
    memoryBytes: totalmem(),
    bootAtMs: bootS === undefined ? null : Number(bootS) * 1000
  }
}
