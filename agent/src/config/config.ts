import type { LinePattern } from '../line-pattern/line-pattern.js'

/** How the lines of a file are read. */
export const LINE_FORMATS = ['plain', 'syslog', 'json', 'logfmt', 'cri'] as const

/** `journald`: entries of the system journal (`JournalEntry.text`); `docker`: lines of containers (`ContainerLine.text`). */
export type LineFormat = (typeof LINE_FORMATS)[number] | 'journald' | 'docker'

/** One entry of `logs.files`; what is read of the system journal has the same members. */
export interface FileSource {
  /** A path or a pattern with `*`, `?`, `**` and `[..]`. */
  readonly path: string
  readonly service: string | null
  readonly format: LineFormat
  /** Where a file is first read from that was there before the agent. */
  readonly startAt: 'end' | 'beginning'
  readonly exclude: readonly string[]
  readonly level: string | null
  readonly tags: Readonly<Record<string, string>>
  /** Records of several lines: what the first line of each has. Null: each line is a record. */
  readonly multiline: { readonly start: LinePattern } | null
}

/** What is read of the system journal. */
export interface JournaldSource {
  /** Namespace of journald; null: the default one. */
  readonly namespace: string | null
  /** Where it is first read from. */
  readonly startAt: 'end' | 'beginning'
}

/** Which containers are read. */
export interface DockerSource {
  /** Path of the socket of the daemon. */
  readonly socket: string
  /** Where containers are first read from that were there before the agent. */
  readonly startAt: 'end' | 'beginning'
}

/** The configuration of the agent. */
export interface AgentConfig {
  /** Without a user and a password. */
  readonly url: string
  /** `user:password` of a proxy before the service; null: none. */
  readonly login: string | null
  readonly apiKey: string
  /** From which the key was read; null: not from a file. */
  readonly apiKeyFile: string | null
  /** Null: the namespace of the key. */
  readonly namespace: { readonly name: string; readonly from: string } | null
  readonly host: string
  readonly stateDir: string
  readonly tags: Readonly<Record<string, string>>
  /** Port on the loop back that shows the status; 0: none. */
  readonly statusPort: number
  readonly metrics: {
    readonly enabled: boolean
    /** Milliseconds between two collections. */
    readonly intervalMs: number
    /** Names of processes by CPU, and as many by memory, that have series of their own. */
    readonly topProcesses: number
    /** Whether each processor has series of its own. */
    readonly perCpu: boolean
    /** Whether containers have metrics. */
    readonly containers: boolean
    /** Whether the loop back and the devices of containers have metrics. */
    readonly allInterfaces: boolean
  }
  readonly listeners: {
    readonly enabled: boolean
    /** Milliseconds between two reports of the host. */
    readonly intervalMs: number
  }
  readonly logs: {
    readonly enabled: boolean
    readonly batchSize: number
    readonly maxBatchSize: number
    /** Milliseconds after which fewer than `batchSize` lines are sent. */
    readonly intervalMs: number
    /** Milliseconds without new bytes after which a rotated file has ended. */
    readonly rotateWaitMs: number
    /** Milliseconds between two looks at the files. */
    readonly pollMs: number
    readonly files: readonly FileSource[]
    /** Null: the system journal is not read. */
    readonly journald: JournaldSource | null
    /** Null: the logs of containers are not read. */
    readonly docker: DockerSource | null
  }
}

/** A configuration that cannot be used; the message names the key and the remedy. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
