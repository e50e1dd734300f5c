import { counter, gauge, type MetricPoint } from './metric-point.js'

/** The loop back, and the ends of containers' networks, whose traffic the devices of the host count, too. */
const NOT_OF_HOST = /^(?:lo|veth.*|docker\d+|br-[0-9a-f]{12}|cni\d+|cali.*|flannel.*|virbr\d+.*)$/

/** Traffic of the network devices, of `/proc/net/dev`. @param all those, too, whose traffic other devices count. */
export function networkPoints(text: string, all: boolean): readonly MetricPoint[] {
  const points: MetricPoint[] = []
  for (const line of text.split('\n').slice(2)) {
    const at = line.lastIndexOf(':')
    const device = line.slice(0, at).trim()
    const numbers = line
      .slice(at + 1)
      .trim()
      .split(/\s+/)
      .map(Number)
    if (at < 0 || numbers.length < 16 || numbers.some(Number.isNaN)) continue
    if (!all && NOT_OF_HOST.test(device)) continue
    const directions = [
      ['receive', numbers.slice(0, 4)],
      ['transmit', numbers.slice(8, 12)]
    ] as const
    for (const [direction, [bytes, packets, errors, dropped]] of directions) {
      const labels = { device, direction }
      points.push(
        counter('system.network.io', bytes!, labels),
        counter('system.network.packets', packets!, labels),
        counter('system.network.errors', errors!, labels),
        counter('system.network.dropped', dropped!, labels)
      )
    }
  }
  return points
}

/** Counts of sockets by protocol and what they are, such as `TCP inuse`: those of both versions of IP together. */
function socketCounts(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const line of text.split('\n')) {
    const [protocol = '', ...words] = line.split(/:? /)
    for (let i = 0; i + 1 < words.length; i += 2) {
      const key = `${protocol.replace('6', '')} ${words[i]!}`
      counts.set(key, (counts.get(key) ?? 0) + Number(words[i + 1]))
    }
  }
  return counts
}

/** Connections, of `/proc/net/sockstat` and `/proc/net/sockstat6`. */
export function connectionPoints(text: string): readonly MetricPoint[] {
  const counts = socketCounts(text)
  const states = [
    ['tcp', 'in_use', 'TCP inuse'],
    ['tcp', 'orphan', 'TCP orphan'],
    ['tcp', 'time_wait', 'TCP tw'],
    ['udp', 'in_use', 'UDP inuse']
  ] as const
  return states.flatMap(([protocol, state, key]) => {
    const count = counts.get(key)
    return count === undefined ? [] : [gauge('system.network.connections', count, { protocol, state })]
  })
}
