import { access, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FirstCredentials } from '../access/first-start.js'
import { whenMissing } from '../stores/disk/when-missing.js'
import type { Addresses } from './addresses.js'

/** File in the data folder that holds what the first start printed. */
const FIRST_RUN_FILE = 'first-run.txt'
const OWNER_ONLY = 0o600
// What `firstRunText` writes, unless the installation gave the password.
const PASSWORD_LINE = /^ {2}password {4}(\S+)$/m

function commands(credentials: FirstCredentials, { apiUrl, ingestUrl }: Addresses): string {
  const password = credentials.password ?? '<the password that you chose>'
  const login = JSON.stringify({ email: credentials.email, password })
  // A search store shows records a moment after it has them; the third command may come before.
  return `  curl -s '${ingestUrl}/api/v1/logs?ack=searchable' -H 'X-API-Key: ${credentials.ingestKey}' -H 'Content-Type: application/json' -d '{"message":"hello, alidade","service":"first-steps","level":"info"}'

  TOKEN=$(curl -s ${apiUrl}/api/v1/auth/login -H 'Content-Type: application/json' -d '${login}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')

  curl -s ${apiUrl}/api/v1/logs/query -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"query":"hello"}'
`
}

/** What the first start shows: credentials and three commands that send a log, sign in and find the log again. */
export function firstRunText(credentials: FirstCredentials, addresses: Addresses): string {
  const password = credentials.password === null ? 'the one from your settings' : credentials.password
  return `Alidade's first start: these credentials are shown once.

  operator    ${credentials.email}
  password    ${password}
  namespace   ${credentials.namespace}
  ingest key  ${credentials.ingestKey}

Send a log, sign in, find it again:

${commands(credentials, addresses)}`
}

/** The file that still has the credentials of the first start; null if it is gone. */
export async function firstRunFile(dataDir: string): Promise<string | null> {
  const path = join(dataDir, FIRST_RUN_FILE)
  // One that cannot be looked at is not announced.
  return access(path).then(
    () => path,
    () => null
  )
}

/** Writes the text so that only the owner can read it; at every moment, a crash included, the file is there whole or not at all. */
export async function writeFirstRun(dataDir: string, text: string): Promise<string> {
  const path = join(dataDir, FIRST_RUN_FILE)
  const unfinished = `${path}.unfinished`
  const file = await open(unfinished, 'w', OWNER_ONLY)
  try {
    await file.chmod(OWNER_ONLY)
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(unfinished, path)
  return path
}

/** The password in the file; null without a file, or if the installation set the password. */
export async function firstRunPassword(dataDir: string): Promise<string | null> {
  const text = await readFile(join(dataDir, FIRST_RUN_FILE), 'utf8').catch(whenMissing(''))
  return PASSWORD_LINE.exec(text)?.[1] ?? null
}

/** Removes the file, and what an interrupted write of it left. */
export async function removeFirstRun(dataDir: string): Promise<void> {
  const path = join(dataDir, FIRST_RUN_FILE)
  for (const file of [path, `${path}.unfinished`]) await rm(file, { force: true })
}
