import type { ProcessGroup } from './cgroup.js'

/** How a service was found; `label`: by that of Compose. */
export type ServiceBasis = 'environment' | 'label' | 'unit' | 'port' | 'process'

/** A service and how it was found; both null when nothing names it. */
export interface GuessedService {
  readonly service: string | null
  readonly serviceBasis: ServiceBasis | null
}

/** Services that are known by their port. */
const KNOWN_PORTS: ReadonlyMap<number, string> = new Map([
  [22, 'ssh'],
  [25, 'smtp'],
  [53, 'dns'],
  [1883, 'mqtt'],
  [2181, 'zookeeper'],
  [2379, 'etcd'],
  [3306, 'mysql'],
  [5432, 'postgresql'],
  [5672, 'rabbitmq'],
  [6379, 'redis'],
  [9042, 'cassandra'],
  [9092, 'kafka'],
  [9200, 'elasticsearch'],
  [11211, 'memcached'],
  [27017, 'mongodb']
])
/** Units that run whatever a user or a container runtime starts. */
const NOT_A_SERVICE = /^(?:user@\d+|docker|containerd|podman|crio|kubelet|session-.*)$/
/** As the service limits it. */
export const MAX_SERVICE_CHARS = 255

/** The value of a variable of `/proc/<pid>/environ`. */
function variable(environ: string, name: string): string {
  const found = environ.split('\0').find(entry => entry.startsWith(`${name}=`))
  return found?.slice(name.length + 1).trim() ?? ''
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    // Not each program encodes it.
    return value
  }
}

/** The service that OpenTelemetry's variables name; no other variable is looked at. */
function namedByEnvironment(environ: string): string {
  const name = variable(environ, 'OTEL_SERVICE_NAME')
  if (name !== '') return name
  const attributes = variable(environ, 'OTEL_RESOURCE_ATTRIBUTES').split(',')
  const found = attributes.map(one => one.split('=')).find(([key]) => key?.trim() === 'service.name')
  return decoded(found?.slice(1).join('=').trim() ?? '')
}

function namedByUnit({ unit, container }: ProcessGroup): string {
  const name = unit?.replace(/\.service$/, '').replace(/@.*$/, '') ?? ''
  return container !== null || NOT_A_SERVICE.test(unit?.replace(/\.service$/, '') ?? '') ? '' : name
}

/** The service of a listening socket by what is known of its process, and how it was found. */
export function guessService(
  port: number,
  { name, environ, group }: { readonly name: string | null; readonly environ: string; readonly group: ProcessGroup }
): GuessedService {
  const found: readonly (readonly [ServiceBasis, string])[] = [
    ['environment', namedByEnvironment(environ)],
    ['unit', namedByUnit(group)],
    ['port', KNOWN_PORTS.get(port) ?? ''],
    ['process', name ?? '']
  ]
  const [serviceBasis, service] = found.find(([, text]) => text !== '') ?? [null, null]
  return { service: service?.slice(0, MAX_SERVICE_CHARS) ?? null, serviceBasis }
}
