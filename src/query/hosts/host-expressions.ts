import type { LabelMatcher } from '../../ports/metric-store.js'
import type { Expr } from '../promql/syntax/ast.js'
import { parsePromql } from '../promql/syntax/parser.js'

// Series as OpenTelemetry's semantic conventions name them, with their dots (`POST /api/v1/ingest/batch`) or as OTLP and
// remote write translate them for Prometheus, and percentages as `system.cpu.usage_percent`.

/** Placeholder for the hosts in the expressions below. */
const HOSTS = 'host="@"'
const PLACEHOLDER = '@'

/** A selector of metrics by any of the names, of the hosts. */
function of(names: readonly string[], conditions = ''): string {
  const pattern = names.map(name => name.replaceAll('.', '\\\\.')).join('|')
  return `{__name__=~"${pattern}", ${HOSTS}${conditions === '' ? '' : `, ${conditions}`}}`
}

function rateOf(names: readonly string[], conditions = ''): string {
  return `rate(${of(names, conditions)}[5m])`
}

const CPU_PERCENT = ['system.cpu.usage_percent', 'system_cpu_usage_percent']
const CPU_UTILIZATION = ['system.cpu.utilization', 'system_cpu_utilization_ratio']
const CPU_TIME = ['system.cpu.time', 'system_cpu_time_seconds_total']
const MEMORY_PERCENT = ['system.memory.usage_percent', 'system_memory_usage_percent']
const MEMORY_UTILIZATION = ['system.memory.utilization', 'system_memory_utilization_ratio']
const MEMORY = ['system.memory.usage', 'system_memory_usage_bytes']
const MEMORY_LIMIT = ['system.memory.limit', 'system_memory_limit_bytes']
const DISK_PERCENT = ['system.disk.usage_percent', 'system_disk_usage_percent']
const FILESYSTEM_UTILIZATION = ['system.filesystem.utilization', 'system_filesystem_utilization_ratio']
const FILESYSTEM = ['system.filesystem.usage', 'system_filesystem_usage_bytes']
const NETWORK = ['system.network.io', 'system_network_io_bytes_total']
const UPTIME = ['system.uptime', 'system_uptime_seconds']
const CPU_COUNT = ['system.cpu.logical.count', 'system_cpu_logical_count']
/** File systems that are images: always full. */
const NOT_IMAGES = 'type!~"squashfs|iso9660|erofs"'

const PLACE = 'host, device, mountpoint'
const CONTAINER = 'host, container, image'
const PROCESS = 'host, process, user'
const IN_CONTAINER = 'container!=""'
const OF_PROCESS = 'process!=""'

function anyOf(...expressions: readonly string[]): string {
  return expressions.map(expression => `(${expression})`).join(' or ')
}

function disk(by: string): string {
  const used = `sum by (${PLACE}) (${of(FILESYSTEM, `state="used", ${NOT_IMAGES}`)})`
  const whole = `sum by (${PLACE}) (${of(FILESYSTEM, `state=~"used|free", ${NOT_IMAGES}`)})`
  return anyOf(
    `max by (${by}) (${of(DISK_PERCENT, NOT_IMAGES)})`,
    `max by (${by}) (${of(FILESYSTEM_UTILIZATION, NOT_IMAGES)}) * 100`,
    `max by (${by}) (${used} / ${whole}) * 100`
  )
}

const CPU = anyOf(
  `avg by (host) (${of(CPU_PERCENT)})`,
  `(1 - avg by (host) (${of(CPU_UTILIZATION, 'state="idle"')})) * 100`,
  `(1 - sum by (host) (${rateOf(CPU_TIME, 'state="idle"')}) / sum by (host) (${rateOf(CPU_TIME)})) * 100`
)
const MEMORY_USED = anyOf(
  `max by (host) (${of(MEMORY_PERCENT)})`,
  `sum by (host) (${of(MEMORY_UTILIZATION, 'state="used"')}) * 100`,
  `sum by (host) (${of(MEMORY, 'state="used"')}) / sum by (host) (${of(MEMORY)}) * 100`
)

/** Figures of one time: a value per host. */
export const FIGURES = {
  cpuPercent: CPU,
  memoryPercent: MEMORY_USED,
  diskPercent: disk('host'),
  cpuCount: anyOf(
    `max by (host) (${of(CPU_COUNT)})`,
    `count by (host) (count by (host, cpu) (${of(CPU_TIME, 'state="idle", cpu!="all"')}))`
  ),
  memoryBytes: anyOf(`max by (host) (${of(MEMORY_LIMIT)})`, `sum by (host) (${of(MEMORY)})`),
  /** Unix seconds. */
  bootTime: `time() - max by (host) (${of(UPTIME)})`
} as const

const CONTAINER_MEMORY = [
  ...['container.memory.usage', 'container_memory_usage_bytes', 'container_memory_usage_total_bytes'],
  'container_memory_working_set_bytes'
]
const CONTAINER_LIMIT = ['container.memory.limit', 'container_memory_limit_bytes', 'container_memory_usage_limit_bytes']

function containerNetwork(direction: 'receive' | 'transmit', docker: string): string {
  const io = ['container.network.io', 'container_network_io_bytes_total']
  return anyOf(
    `sum by (${CONTAINER}) (${rateOf(io, `${IN_CONTAINER}, direction="${direction}"`)})`,
    `sum by (${CONTAINER}) (${rateOf([docker], IN_CONTAINER)})`
  )
}

/** Figures of one time: a value per host, container and image. */
export const CONTAINER_FIGURES = {
  cpuPercent: anyOf(
    `sum by (${CONTAINER}) (${rateOf(['container.cpu.time', 'container_cpu_time_seconds_total'], IN_CONTAINER)}) * 100`,
    // The Collector's docker_stats receiver: nanoseconds; its utilization is in percent.
    `sum by (${CONTAINER}) (${rateOf(['container_cpu_usage_nanoseconds_total'], IN_CONTAINER)}) / 1e7`,
    `sum by (${CONTAINER}) (${of(['container.cpu.utilization'], IN_CONTAINER)}) * 100`,
    `sum by (${CONTAINER}) (${of(['container_cpu_utilization_ratio'], IN_CONTAINER)})`,
    // The Collector's kubeletstats receiver: cores.
    `sum by (${CONTAINER}) (${of(['container_cpu_usage'], IN_CONTAINER)}) * 100`
  ),
  memoryBytes: `max by (${CONTAINER}) (${of(CONTAINER_MEMORY, IN_CONTAINER)})`,
  memoryPercent: anyOf(
    `max by (${CONTAINER}) (${of(['container.memory.usage_percent', 'container_memory_percent_ratio'], IN_CONTAINER)})`,
    `max by (${CONTAINER}) (${of(CONTAINER_MEMORY, IN_CONTAINER)}) / max by (${CONTAINER}) (${of(CONTAINER_LIMIT, IN_CONTAINER)}) * 100`
  ),
  rxBytesPerSecond: containerNetwork('receive', 'container_network_io_usage_rx_bytes_total'),
  txBytesPerSecond: containerNetwork('transmit', 'container_network_io_usage_tx_bytes_total')
} as const

/** Figures of one time: a value per host, process and user. */
export const PROCESS_FIGURES = {
  cpuPercent: `sum by (${PROCESS}) (${of(['process.cpu.utilization', 'process_cpu_utilization_ratio'], OF_PROCESS)}) * 100`,
  memoryBytes: `sum by (${PROCESS}) (${of(['process.memory.usage', 'process_memory_usage_bytes'], OF_PROCESS)})`
} as const

/** Charts: lines per host, of the disk per mount point, of the network per direction. */
export const CHARTS = {
  cpu: CPU,
  memory: MEMORY_USED,
  disk: disk('host, mountpoint'),
  network: `sum by (host, direction) (${rateOf(NETWORK)})`
} as const

const parsed = new Map<string, Expr>()

/** One of the expressions above, of the series that satisfy a condition on `host`. */
export function hostExpression(text: string, host: Omit<LabelMatcher, 'name'>): Expr {
  let expr = parsed.get(text)
  if (expr === undefined) parsed.set(text, (expr = parsePromql(text, false)))
  return withHosts(expr, { name: 'host', ...host })
}

function matchersOf(matchers: readonly LabelMatcher[], hosts: LabelMatcher): readonly LabelMatcher[] {
  return matchers.map(matcher => (matcher.name === 'host' && matcher.value === PLACEHOLDER ? hosts : matcher))
}

function withHosts(expr: Expr, hosts: LabelMatcher): Expr {
  switch (expr.type) {
    case 'selector':
      return { ...expr, matchers: matchersOf(expr.matchers, hosts) }
    case 'matrix':
      return { ...expr, selector: { ...expr.selector, matchers: matchersOf(expr.selector.matchers, hosts) } }
    case 'binary':
      return { ...expr, lhs: withHosts(expr.lhs, hosts), rhs: withHosts(expr.rhs, hosts) }
    case 'call':
      return { ...expr, args: expr.args.map(arg => withHosts(arg, hosts)) }
    case 'aggregation':
    case 'paren':
      return { ...expr, expr: withHosts(expr.expr, hosts) }
    default:
      return expr
  }
}
