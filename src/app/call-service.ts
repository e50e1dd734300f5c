import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CHANNEL_FILE } from './admin-channel.js'

interface Channel {
  readonly url: string
  readonly token: string
}

/** What a command answered: shown, or thrown as the sentence of its refusal. */
export type ServiceResponse = Readonly<Record<string, unknown>>

async function findChannel(dataDir: string): Promise<Channel | null> {
  // No service runs, or one of another user: opening the stores alone tells which.
  const text = await readFile(join(dataDir, CHANNEL_FILE), 'utf8').catch(() => null)
  return text === null ? null : (JSON.parse(text) as Channel)
}

/** Asks the running service; null when none answers (the file of a service that was killed stays behind). */
export async function callService(dataDir: string, command: string, input: object): Promise<ServiceResponse | null> {
  const channel = await findChannel(dataDir)
  if (!channel) return null
  const headers = { authorization: `Bearer ${channel.token}`, 'content-type': 'application/json' }
  const response = await fetch(`${channel.url}/${command}`, { method: 'POST', headers, body: JSON.stringify(input) }).catch(
    () => null
  )
  if (!response || response.status === 401) return null
  const result = (await response.json()) as ServiceResponse
  if (!response.ok) throw new Error(String(result['detail']))
  return result
}
