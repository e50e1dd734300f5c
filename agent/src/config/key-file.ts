import { statSync } from 'node:fs'
import type { AgentConfig } from './config.js'

/** Rights of all users of a machine. */
const OF_ALL = 0o007

/** What is wrong with the file of the API key; null when nothing is, and without a file. */
export function keyFileFault({ apiKeyFile }: Pick<AgentConfig, 'apiKeyFile'>): string | null {
  const stats = apiKeyFile === null ? undefined : statSync(apiKeyFile, { throwIfNoEntry: false })
  if (stats === undefined || (stats.mode & OF_ALL) === 0) return null
  return `${apiKeyFile} can be read by all users: run chmod o-rwx ${apiKeyFile}`
}
