import { readFileSync } from 'node:fs'
import type { AgentConfig } from '../config/config.js'
import { sha256 } from '../files/open-file.js'

/** What the agent is. */
export interface AgentFacts {
  readonly version: string
  readonly startedAtMs: number
  /** Equal for equal configurations; the API key is not part of it. */
  readonly configHash: string
}

const HASH_DIGITS = 16

/** Version, start and hash of the configuration; the hash leaves the credentials out. */
export function agentFacts(config: AgentConfig, startedAtMs: number): AgentFacts {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
  const { apiKey: _, login: __, ...rest } = config
  return { version, startedAtMs, configHash: sha256(JSON.stringify(rest)).slice(0, HASH_DIGITS) }
}
