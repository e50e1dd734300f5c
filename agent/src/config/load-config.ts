import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { parse } from 'yaml'
import { type AgentConfig, ConfigError, type DockerSource, type FileSource, type JournaldSource, LINE_FORMATS } from './config.js'
import { DOCKER_SOCKET } from '../docker/docker-api.js'
import { Glob } from '../files/glob.js'
import { LinePattern } from '../line-pattern/line-pattern.js'
import { SectionReader } from './config-reader.js'

/** Default path of the configuration. */
export const DEFAULT_CONFIG = '/etc/service/config.yaml'

type Environment = Readonly<Record<string, string | undefined>>

/** The path of the configuration that is named; null without one. @param argument `--config`. */
export function configPath(argument: string | undefined, env: Environment): string | null {
  return argument ?? variable(env, 'SERVICE_CONFIG')
}

const FILE_KEYS = ['path', 'service', 'format', 'start_at', 'exclude', 'level', 'tags', 'multiline'] as const
const LOG_KEYS = ['enabled', 'batch_size', 'max_batch_size', 'interval', 'rotate_wait', 'poll', 'journald', 'docker', 'files']
const METRIC_KEYS = ['enabled', 'interval', 'top_processes', 'per_cpu', 'containers', 'all_interfaces'] as const
const AGENT_KEYS = ['namespace', 'url', 'api_key', 'api_key_file', 'host', 'state_dir', 'tags', 'status_port'] as const

/** As the service limits it. */
const MAX_HOST_CHARS = 255
/** What some keys may be instead of a section. */
const OR_BOOLEAN = 'true, false or '

/** A pattern of absolute paths. */
function checkPattern(pattern: string, key: string): string {
  if (!pattern.startsWith('/')) throw new ConfigError(`${key} must be absolute: begin it with / (got ${pattern})`)
  try {
    return new Glob(pattern).pattern
  } catch {
    throw new ConfigError(`${key} has an invalid range of characters (got ${pattern})`)
  }
}

function multilineOf(value: unknown, path: string): FileSource['multiline'] {
  if (value === undefined || value === null) return null
  const start = new SectionReader(value, path, ['start']).string('start')
  if (start === null)
    throw new ConfigError(`${path}.start is required: a pattern of the first line of a record, such as ^\\d{4}-`)
  try {
    return { start: new LinePattern(start) }
  } catch (error) {
    throw new ConfigError(`${path}.start ${(error as Error).message}; got ${start}`)
  }
}

function fileSource(value: unknown, index: number): FileSource {
  const path = `logs.files[${index}]`
  const keys = new SectionReader(value, path, FILE_KEYS)
  const pattern = keys.string('path')
  if (pattern === null) throw new ConfigError(`${path}.path is required: a path or pattern, such as /var/log/*.log`)
  return {
    path: checkPattern(pattern, `${path}.path`),
    service: keys.string('service'),
    format: keys.oneOf('format', LINE_FORMATS, 'plain'),
    startAt: keys.oneOf('start_at', ['end', 'beginning'], 'end'),
    exclude: keys.strings('exclude').map(one => checkPattern(one, `${path}.exclude`)),
    level: keys.string('level'),
    tags: keys.tags('tags'),
    multiline: multilineOf(keys.value('multiline'), `${path}.multiline`)
  }
}

/** `true`, or a section of what differs from the defaults. */
function journaldOf(keys: SectionReader): JournaldSource | null {
  const value = keys.value('journald')
  if (value === undefined || value === null || typeof value === 'boolean')
    return keys.boolean('journald', false) ? { namespace: null, startAt: 'end' } : null
  const section = new SectionReader(value, 'logs.journald', ['namespace', 'start_at'], OR_BOOLEAN)
  const namespace = section.string('namespace')
  if (namespace !== null && !/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,100}$/.test(namespace))
    throw new ConfigError(
      `logs.journald.namespace must be a namespace of journald: letters, digits, _, . and - (got ${namespace})`
    )
  return { namespace, startAt: section.oneOf('start_at', ['end', 'beginning'], 'end') }
}

/** `true`, or a section of what differs from the defaults. */
function dockerOf(keys: SectionReader): DockerSource | null {
  const value = keys.value('docker')
  if (value === undefined || value === null || typeof value === 'boolean')
    return keys.boolean('docker', false) ? { socket: DOCKER_SOCKET, startAt: 'end' } : null
  const section = new SectionReader(value, 'logs.docker', ['socket', 'start_at'], OR_BOOLEAN)
  const socket = section.string('socket') ?? DOCKER_SOCKET
  if (!socket.startsWith('/'))
    throw new ConfigError(`logs.docker.socket must be an absolute path, such as ${DOCKER_SOCKET} (got ${socket})`)
  return { socket, startAt: section.oneOf('start_at', ['end', 'beginning'], 'end') }
}

/** The second of two equal entries would read nothing. */
function distinctFiles(files: readonly FileSource[]): readonly FileSource[] {
  const known = new Map<string, number>()
  for (const [i, { path, exclude }] of files.entries()) {
    const key = JSON.stringify([path, exclude.toSorted()])
    const first = known.get(key)
    if (first !== undefined)
      throw new ConfigError(`logs.files[${i}].path is that of logs.files[${first}] (got ${path}): remove one of the two entries`)
    known.set(key, i)
  }
  return files
}

function logsOf(value: unknown): AgentConfig['logs'] {
  const keys = new SectionReader(value, 'logs', LOG_KEYS)
  const batchSize = keys.integer('batch_size', 200, 1, 10_000)
  return {
    enabled: keys.boolean('enabled', true),
    batchSize,
    maxBatchSize: Math.max(batchSize, keys.integer('max_batch_size', 2_000, 1, 10_000)),
    intervalMs: keys.durationMs('interval', '2s'),
    rotateWaitMs: keys.durationMs('rotate_wait', '5s'),
    pollMs: keys.durationMs('poll', '250ms'),
    files: distinctFiles(keys.list('files').map(fileSource)),
    journald: journaldOf(keys),
    docker: dockerOf(keys)
  }
}

function metricsOf(value: unknown): AgentConfig['metrics'] {
  const keys = new SectionReader(value, 'metrics', METRIC_KEYS)
  return {
    enabled: keys.boolean('enabled', true),
    intervalMs: keys.durationMs('interval', '15s', '1s'),
    topProcesses: keys.integer('top_processes', 10, 0, 100),
    perCpu: keys.boolean('per_cpu', false),
    containers: keys.boolean('containers', true),
    allInterfaces: keys.boolean('all_interfaces', false)
  }
}

function listenersOf(value: unknown): AgentConfig['listeners'] {
  const keys = new SectionReader(value, 'listeners', ['enabled', 'interval'])
  // What the service takes as interval of reports.
  return { enabled: keys.boolean('enabled', true), intervalMs: keys.durationMs('interval', '60s', '10s', '1h') }
}

/** A variable of the environment; null when it is absent or empty, as `${NAME:-}` of Compose leaves it. */
function variable(env: Environment, name: string): string | null {
  const value = env[name]?.trim() ?? ''
  return value === '' ? null : value
}

/** A secret, or the path of its file, and the name of what set it. */
interface Setting {
  readonly value: string
  readonly from: string
}

/** The first that is set: the variable, else the key. */
function setting(env: Environment, name: string, [key, ofKey]: readonly [string, string | null]): Setting | null {
  const value = variable(env, name)
  if (value !== null) return { value, from: name }
  return ofKey === null ? null : { value: ofKey, from: key }
}

function keyIn({ value: path, from }: Setting, readFile: (path: string) => string): string {
  try {
    return readFile(path)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError(
      `the file of the API key (${from}) cannot be read: ${reason}; correct the path, or its owner and rights`
    )
  }
}

/** The first that is set: the variable, the key, the file that a variable names, the file that a key names. */
function secret(
  env: Environment,
  keys: SectionReader,
  readFile: (path: string) => string
): Pick<AgentConfig, 'apiKey' | 'apiKeyFile'> {
  const named = setting(env, 'SERVICE_API_KEY', ['agent.api_key', keys.secret('api_key')])
  const file = named === null ? setting(env, 'SERVICE_API_KEY_FILE', ['agent.api_key_file', keys.string('api_key_file')]) : null
  const found = (named?.value ?? (file === null ? '' : keyIn(file, readFile))).trim()
  const from = named?.from ?? file?.from
  if (/[^!-~]/.test(found))
    throw new ConfigError(`the API key (${from}) has characters that keys do not have, such as spaces; copy it again`)
  if (found !== '') return { apiKey: found, apiKeyFile: file?.value ?? null }
  if (file !== null)
    throw new ConfigError(`no API key: ${file.value} (${file.from}) is empty; write a key of kind ingest into it`)
  throw new ConfigError('no API key: set agent.api_key_file, agent.api_key or SERVICE_API_KEY to a key of kind ingest')
}

function namespaceOf(env: Environment, keys: SectionReader): AgentConfig['namespace'] {
  const found = setting(env, 'SERVICE_NAMESPACE', ['agent.namespace', keys.string('namespace')])
  return found === null ? null : { name: found.value, from: found.from }
}

/** Neither logs nor errors have the user and the password of an address. */
const LOGIN = /\/\/[^/?#]*@/

function urlOf(env: Environment, keys: SectionReader): Pick<AgentConfig, 'url' | 'login'> {
  const named = setting(env, 'SERVICE_URL', ['agent.url', keys.string('url')])
  const { value: whole, from: key } = named ?? { value: 'http://127.0.0.1:8080', from: 'agent.url' }
  const url = whole.replace(LOGIN, '//')
  if (!/^https?:\/\/[^/]/.test(url)) throw new ConfigError(`${key} must begin with http:// or https:// (got ${url})`)
  const parsed = URL.canParse(whole) ? new URL(whole) : null
  if (parsed === null || parsed.search !== '' || parsed.hash !== '')
    throw new ConfigError(`${key} must be an address such as http://127.0.0.1:8080 (got ${url})`)
  return { url: url.replace(/\/+$/, ''), login: loginOf(parsed, key) }
}

function loginOf({ username, password }: URL, key: string): string | null {
  if (username === '' && password === '') return null
  try {
    return `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  } catch {
    throw new ConfigError(`${key} has a user or password with a wrong percent sign: write it as %25`)
  }
}

/** What YAML's errors mean in a configuration. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/^Source contains multiple documents.*?(?= at |$)/, 'it has several documents: remove the line ---'],
  [/^Unresolved alias.*?(?= at |$)/, 'it has an alias without an anchor: write values that begin with * in quotes']
]

/** Errors have no lines of the file, which has the API key. */
function parseYaml(text: string): unknown {
  try {
    return parse(text) as unknown
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    const reason = REMEDIES.reduce((all, [pattern, remedy]) => all.replace(pattern, remedy), line.replace(/:$/, ''))
    throw new ConfigError(`the file is not YAML: ${reason}`)
  }
}

/** The configuration in `text` (YAML) and the environment. Throws `ConfigError`. */
export function parseConfig(
  text: string,
  env: Environment = {},
  readFile: (path: string) => string = path => readFileSync(path, 'utf8')
): AgentConfig {
  const root = new SectionReader(parseYaml(text), '', ['agent', 'metrics', 'listeners', 'logs'])
  const agent = new SectionReader(root.value('agent'), 'agent', AGENT_KEYS)
  return {
    ...urlOf(env, agent),
    ...secret(env, agent, readFile),
    namespace: namespaceOf(env, agent),
    host: agent.string('host', MAX_HOST_CHARS) ?? hostname(),
    stateDir: agent.string('state_dir') ?? '/var/lib/alidade-agent',
    tags: agent.tags('tags'),
    statusPort: agent.integer('status_port', 0, 0, 65_535),
    metrics: metricsOf(root.value('metrics')),
    listeners: listenersOf(root.value('listeners')),
    logs: logsOf(root.value('logs'))
  }
}
