import { isIP } from 'node:net'
import { namesOf, type CamelCase, type Setting, type SettingValues } from '../settings/setting.js'
import type { SettingKey } from './settings.js'
import { SETTINGS } from './settings.js'
import type { SettingsSource } from './sources.js'
import { readEnvironment, readFlags, readYaml } from './sources.js'
import type { ChosenStores } from './store-settings.js'
import { chooseStores, storeContradictions } from './store-settings.js'

type Settings = SettingValues<typeof SETTINGS>

/** Every setting in force, by its name in camel case. Frozen. */
export type Config = Omit<Settings, 'registration' | 'metricsAccess' | 'trustedProxies' | keyof ChosenStores> &
  ChosenStores & {
    /** `local`: as `invite`, but requests of this machine need no invitation. */
    readonly registration: 'open' | 'local' | 'invite' | 'closed'
    /** `local`: requests of this machine. */
    readonly metricsAccess: 'open' | 'local' | 'token' | 'off'
    readonly trustedProxies: readonly string[]
  }

/** All that is wrong with the settings, at once. */
export class ConfigError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`the settings are not valid:\n${problems.map(problem => `  - ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

type ReadFile = (path: string) => string

function camelCase(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function label(key: string): string {
  const { flag, variable } = namesOf(key)
  return SETTINGS[key as SettingKey].isSecret ? `${key} (${flag}-file, ${variable}_FILE)` : `${key} (${flag}, ${variable})`
}

function tryRead(readFile: ReadFile, path: string): string | Error {
  try {
    return readFile(path)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

function readConfigFile(path: string | undefined, readFile: ReadFile): SettingsSource {
  if (path === undefined) return { values: new Map(), problems: [] }
  const content = tryRead(readFile, path)
  if (content instanceof Error) return { values: new Map(), problems: [`config (--config, ALIDADE_CONFIG): ${content.message}`] }
  return readYaml(path, content)
}

/** Reads what the settings need from their sources and notes every fault. */
class Reading {
  readonly problems: string[] = []
  readonly #sources: readonly SettingsSource[]
  readonly #readFile: ReadFile

  constructor(sources: readonly SettingsSource[], readFile: ReadFile) {
    this.#sources = sources
    this.#readFile = readFile
  }

  value(key: SettingKey): unknown {
    const { type, default: fallback, isSecret } = SETTINGS[key]
    const raw = this.#raw(key, isSecret)
    if (raw === undefined) return fallback
    const parsed = raw === '' ? undefined : type.parse(raw)
    if (parsed !== undefined) return parsed
    this.problems.push(`${label(key)}: ${isSecret ? 'it' : `"${raw}"`} is not ${type.words}`)
    return fallback
  }

  /** The PEM text in the file at `path`. A file without one is a problem; its setting still counts as set. */
  certificate(key: SettingKey, path: string): string {
    const content = tryRead(this.#readFile, path)
    if (content instanceof Error) this.problems.push(`${label(key)}: ${content.message}`)
    else if (!content.includes('-----BEGIN CERTIFICATE-----'))
      this.problems.push(`${label(key)}: ${path} does not contain a PEM certificate`)
    else return content
    return path
  }

  #raw(key: SettingKey, isSecret: boolean): string | undefined {
    for (const { values } of this.#sources) {
      const direct = values.get(key)
      if (direct !== undefined) return direct
      const path = isSecret ? values.get(`${key}_file`) : undefined
      if (path !== undefined) return this.#secretFrom(key, path)
    }
    return undefined
  }

  #secretFrom(key: SettingKey, path: string): string | undefined {
    const content = tryRead(this.#readFile, path)
    if (!(content instanceof Error)) return content.replace(/\r?\n$/, '')
    this.problems.push(`${label(key)}: ${content.message}`)
    return undefined
  }
}

/** Whether only programs of this machine can reach the address. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

/** Whether no setting makes the service available to other machines. A proxy that is not configured is detected by its requests. */
function isPrivate({ host, publicUrl, trustedProxies }: Pick<Settings, 'host' | 'publicUrl' | 'trustedProxies'>): boolean {
  return isLoopback(host) && publicUrl === null && trustedProxies === null
}

function metricsAccessOf(
  settings: Pick<Settings, 'host' | 'publicUrl' | 'trustedProxies' | 'metricsAccess' | 'metricsToken'>
): Config['metricsAccess'] {
  if (settings.metricsAccess !== null) return settings.metricsAccess
  if (settings.metricsToken !== null) return 'token'
  return isPrivate(settings) ? 'local' : 'off'
}

function metricsContradictions({ metricsAccess, metricsToken }: Settings): string[] {
  if (metricsAccess !== 'token' || metricsToken !== null) return []
  return [`${label('metrics_access')}: token needs ${label('metrics_token')}`]
}

function mailContradictions({ smtpUrl, smtpFrom, smtpUsername, smtpPassword }: Settings): string[] {
  const together = (a: unknown, b: unknown, names: readonly [string, string]): string[] => {
    if ((a === null) === (b === null)) return []
    const [set, missing] = a === null ? [names[1], names[0]] : names
    return [`${label(set)} needs ${label(missing)}`]
  }
  return [
    ...together(smtpUrl, smtpFrom, ['smtp_url', 'smtp_from']),
    ...together(smtpUsername, smtpPassword, ['smtp_username', 'smtp_password'])
  ]
}

const PORTS = {
  port: 'the API',
  ingest_port: 'ingest',
  otlp_http_port: 'OTLP over HTTP',
  otlp_grpc_port: 'OTLP over gRPC'
} as const

function samePorts(settings: Settings): string[] {
  const problems: string[] = []
  const taken = new Map<number, string>()
  for (const [key, words] of Object.entries(PORTS)) {
    const value = settings[camelCase(key) as CamelCase<keyof typeof PORTS>]
    if (value === null || value === 0) continue
    const other = taken.get(value)
    if (other === undefined) taken.set(value, words)
    else problems.push(`${label(key)}: ${value} is the port of ${other}`)
  }
  return problems
}

function contradictions(settings: Settings): string[] {
  const { defaultPageRows, limitPageRows, defaultPageTraces, limitPageTraces } = settings
  const moreThan = (what: 'rows' | 'traces', usual: number, most: number): string[] =>
    usual > most ? [`${label(`default_page_${what}`)}: ${usual} is more than limit_page_${what}, ${most}`] : []
  return [
    ...samePorts(settings),
    ...metricsContradictions(settings),
    ...mailContradictions(settings),
    ...moreThan('rows', defaultPageRows, limitPageRows),
    ...moreThan('traces', defaultPageTraces, limitPageTraces),
    ...storeContradictions(settings)
  ]
}

function withCertificate(reading: Reading, key: SettingKey, value: unknown): unknown {
  const { isCertificate }: Setting<unknown> = SETTINGS[key]
  return isCertificate && value !== null ? reading.certificate(key, value as string) : value
}

/**
 * Reads all settings: flags win, then the environment, then the YAML file that `--config` or `ALIDADE_CONFIG` names.
 * @throws ConfigError with every problem that there is.
 */
export function loadConfig(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  readFile: ReadFile
): Config {
  const flags = readFlags(argv)
  const environment = readEnvironment(env)
  const file = readConfigFile(flags.values.get('config') ?? environment.values.get('config'), readFile)
  const sources = [flags, environment, file]
  const reading = new Reading(sources, readFile)
  const given = (Object.keys(SETTINGS) as SettingKey[]).map(key => [key, reading.value(key)] as const)
  const values = given.map(([key, value]) => [camelCase(key), withCertificate(reading, key, value)])
  const settings = Object.fromEntries(values) as Settings
  const problems = [...sources.flatMap(source => source.problems), ...reading.problems, ...contradictions(settings)]
  if (problems.length > 0) throw new ConfigError(problems)
  const registration = settings.registration ?? (isPrivate(settings) ? 'local' : 'invite')
  const metricsAccess = metricsAccessOf(settings)
  const trustedProxies = settings.trustedProxies ?? []
  return Object.freeze({ ...settings, ...chooseStores(settings), registration, metricsAccess, trustedProxies })
}
