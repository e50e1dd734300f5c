import { access, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { CHANNEL_FILE } from './app/admin-channel.js'
import { createAdminCommands } from './app/admin-commands.js'
import { storeChoice } from './app/store-choice.js'
import type { Config } from './config/config.js'
import { configFromProcess } from './config/from-process.js'
import { CONTROL_FOLDER, restoreBackup } from './stores/backup.js'
import { openStores } from './stores/open.js'
import { createLogger } from './telemetry/logger.js'
import { systemClock } from './telemetry/system-clock.js'

const USAGE = `Usage: npm run admin -- <command> [--data-dir ./data]

  reset-password <email>   gives the user a new password, prints it, and ends all their sessions
  backup <folder>          copies what is embedded into an empty folder, also while the service runs
  restore <folder>         puts a backup into an empty data folder; the service must be stopped
`
const EXIT_USAGE = 2

interface Channel {
  readonly url: string
  readonly token: string
}

/** What a command answered: shown, or thrown as the sentence of its refusal. */
type Answer = Readonly<Record<string, unknown>>

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

function backupReport(folder: string, elsewhere: readonly string[]): string {
  if (elsewhere.length === 0) return `Everything is copied to ${folder}`
  return [`What is embedded is copied to ${folder}. Not in it:`, ...elsewhere.map(sentence => `  - ${sentence}`)].join('\n')
}

async function findChannel(dataDir: string): Promise<Channel | null> {
  const text = await readFile(join(dataDir, CHANNEL_FILE), 'utf8').catch(() => null)
  return text === null ? null : (JSON.parse(text) as Channel)
}

/** Asks the running service; null when none answers (the file of a service that was killed stays behind). */
async function askService(dataDir: string, command: string, input: object): Promise<Answer | null> {
  const channel = await findChannel(dataDir)
  if (!channel) return null
  const headers = { authorization: `Bearer ${channel.token}`, 'content-type': 'application/json' }
  const response = await fetch(`${channel.url}/${command}`, { method: 'POST', headers, body: JSON.stringify(input) }).catch(
    () => null
  )
  if (!response || response.status === 401) return null
  const answer = (await response.json()) as Answer
  if (!response.ok) throw new Error(String(answer['detail']))
  return answer
}

async function requireControl(dataDir: string): Promise<void> {
  await access(join(dataDir, CONTROL_FOLDER)).catch(() => {
    throw new Error(`${dataDir} holds no data of Alidade: name its folder with --data-dir`)
  })
}

async function runAlone(config: Config, command: string, input: object): Promise<Answer> {
  const dataDir = resolve(config.dataDir)
  const choice = storeChoice(config)
  if (choice.databaseUrl === null) await requireControl(dataDir)
  const stores = await openStores({ dataDir, choice, clock: systemClock, logger: createLogger('warn') })
  try {
    return (await createAdminCommands(stores, systemClock)[command]!({ ...input })) as Answer
  } finally {
    await stores.close()
  }
}

async function run(config: Config, command: string, input: object): Promise<Answer> {
  return (await askService(resolve(config.dataDir), command, input)) ?? runAlone(config, command, input)
}

async function main(command: string | undefined, subject: string | undefined, rest: readonly string[]): Promise<void> {
  if (subject === undefined || subject.startsWith('--')) {
    process.stderr.write(USAGE)
    process.exitCode = EXIT_USAGE
    return
  }
  const config = configFromProcess(rest)
  switch (command) {
    case 'reset-password': {
      const { password } = await run(config, command, { email: subject })
      return print(`The new password of ${subject}: ${String(password)}`)
    }
    case 'backup': {
      const { not_included: elsewhere } = await run(config, command, { folder: resolve(subject) })
      return print(backupReport(resolve(subject), elsewhere as readonly string[]))
    }
    case 'restore':
      await restoreBackup(subject, resolve(config.dataDir))
      return print(`The backup is in ${resolve(config.dataDir)}; start the service`)
    default:
      process.stderr.write(USAGE)
      process.exitCode = EXIT_USAGE
  }
}

const [command, subject, ...rest] = process.argv.slice(2)
main(command, subject, rest).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
