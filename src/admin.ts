import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { ServiceResponse } from './app/admin-channel.js'
import { callService } from './app/admin-channel.js'
import { doctorReport, findingsOf } from './app/doctor.js'
import { assignPatterns } from './app/assign-patterns.js'
import { requireControl, withCommands } from './app/own-commands.js'
import { keepFilesPrivate } from './app/private-files.js'
import { storeChoice } from './app/store-choice.js'
import { VERSION } from './app/package-root.js'
import type { Config } from './config/config.js'
import { configFromProcess } from './config/from-process.js'
import { diagnosisOf } from './domain/errors.js'
import type { StoreHealth } from './ports/stores.js'
import { restoreBackup } from './stores/assemble/backup.js'
import { examineStores } from './stores/doctor/examine.js'
import { monitorJobs } from './telemetry/background-jobs.js'
import { setTelemetryAside } from './stores/assemble/lone-telemetry.js'
import { createLogger } from './telemetry/logger.js'
import type { Finding } from './stores/shared/finding.js'
import { verifyStores } from './stores/doctor/verify.js'
import { systemClock } from './telemetry/system-clock.js'

const USAGE = `Usage: npm run admin -- <command> [--data-dir ./data]

  reset-password <email>   gives the user a new password, prints it, and ends all their sessions
  backup <folder>          copies the embedded stores into an empty folder, also while the service runs
  restore <folder>         copies a backup into an empty data folder; the service must be stopped
  begin-anew               moves records without their users and keys to set-aside; the service must be stopped
  verify [--repair] [--json]
                           reads every byte of the embedded stores and reports damage; the service must be stopped; exit code 1
                           on damage; --repair removes unreadable segments from the manifest, moves them to set-aside, and
                           records missing journal files as lost
  assign-patterns <namespace> [--dry-run]
                           assigns patterns to stored logs without one, also while the service runs; --dry-run counts them;
                           exit code 1 when logs cannot be read or stay without a pattern
  doctor [--json]          checks all configured stores, also while the service runs; exit code 1 when one has a problem
`
const SUBJECTS: ReadonlyMap<string, string> = new Map([
  ['reset-password', 'e-mail address'],
  ['assign-patterns', 'namespace'],
  ['backup', 'folder'],
  ['restore', 'folder']
])
const EXIT_USAGE = 2
const JSON_FLAG = '--json'
const REPAIR_FLAG = '--repair'
const DRY_RUN_FLAG = '--dry-run'

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

function backupReport(folder: string, elsewhere: readonly string[]): string {
  if (elsewhere.length === 0) return `All data is copied to ${folder}`
  return [`The embedded stores are copied to ${folder}. Not included:`, ...elsewhere.map(sentence => `  - ${sentence}`)].join(
    '\n'
  )
}

async function run(config: Config, command: string, input: object): Promise<ServiceResponse> {
  return withCommands(config, call => call(command, input))
}

async function doctor(config: Config): Promise<readonly Finding[]> {
  const dataDir = resolve(config.dataDir)
  const running = await callService(dataDir, 'health', {})
  const logger = createLogger('silent')
  const jobs = monitorJobs({ clock: systemClock, logger })
  const examined = { dataDir, choice: storeChoice(config), clock: systemClock, logger, jobs }
  return [
    ...(await examineStores({ ...examined, isRunning: running !== null })),
    ...(running === null ? [] : findingsOf(running['stores'] as readonly StoreHealth[]))
  ]
}

async function verify(options: readonly string[]): Promise<void> {
  const flags = [JSON_FLAG, REPAIR_FLAG]
  const config = configFromProcess(options.filter(option => !flags.includes(option)))
  const dataDir = resolve(config.dataDir)
  if ((await callService(dataDir, 'health', {})) !== null)
    throw new Error('the service has the data folder open; stop it first; /health/ready names files that it cannot read')
  const hasOwnControl = config.databaseUrl === null
  if (hasOwnControl) await requireControl(dataDir)
  const isRepair = options.includes(REPAIR_FLAG)
  report(await verifyStores({ dataDir, hasOwnControl, isRepair, clock: systemClock }), options.includes(JSON_FLAG))
}

/** Shows findings; the exit code states whether something is wrong. */
function report(findings: readonly Finding[], asJson: boolean): void {
  print(asJson ? JSON.stringify({ findings }, null, 2) : doctorReport(findings))
  if (findings.some(({ state }) => state === 'bad')) process.exitCode = 1
}

async function moveRecordsAside(config: Config): Promise<void> {
  const moved = await setTelemetryAside(resolve(config.dataDir), systemClock)
  print(`Moved to ${moved.join(' and ')}; the next start creates a new operator`)
}

async function runDoctor(options: readonly string[]): Promise<void> {
  const config = configFromProcess(options.filter(option => option !== JSON_FLAG))
  report(await doctor(config), options.includes(JSON_FLAG))
}

async function runAssignPatterns(namespace: string, options: readonly string[]): Promise<void> {
  const config = configFromProcess(options.filter(option => option !== DRY_RUN_FLAG))
  const isDryRun = options.includes(DRY_RUN_FLAG)
  const isWhole = await withCommands(config, call => assignPatterns(call, { namespace, isDryRun, print, wait: setTimeout }))
  if (!isWhole) process.exitCode = 1
}

async function runOn(subject: string, command: string, config: Config): Promise<void> {
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
      return refuse(`unknown command ${command}`)
  }
}

/** Prints what was wrong, unless something is merely missing, and the usage. */
function refuse(fault?: string): void {
  process.stderr.write(fault === undefined ? USAGE : `${fault}\n\n${USAGE}`)
  process.exitCode = EXIT_USAGE
}

function lackOf(command: string | undefined): string | undefined {
  if (command === undefined) return undefined
  return SUBJECTS.has(command) ? `${command} needs its ${SUBJECTS.get(command)!}` : `unknown command ${command}`
}

async function main([command, ...rest]: readonly string[]): Promise<void> {
  if (command === '--help' || command === 'help') return print(USAGE)
  if (command === '--version' || command === 'version') return print(VERSION)
  if (command === 'doctor') return runDoctor(rest)
  if (command === 'verify') return verify(rest)
  if (command === 'begin-anew') return moveRecordsAside(configFromProcess(rest))
  const [subject, ...options] = rest
  if (command === undefined || subject === undefined || subject.startsWith('--')) return refuse(lackOf(command))
  if (command === 'assign-patterns') return runAssignPatterns(subject, options)
  return runOn(subject, command, configFromProcess(options))
}

keepFilesPrivate()
main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${diagnosisOf(error)}\n`)
  process.exitCode = 1
})
