import { counter, type MetricPoint } from './metric-point.js'

/** The loop back, and the ends of containers' networks, whose traffic the devices of the host count, too. */
const NOT_OF_HOST = /^(?:lo|veth.*|docker\d+|br-[0-9a-f]{12}|cni\d+|cali.*|flannel.*|virbr\d+.*)$/

/** Traffic of the network devices, of `/proc/net/dev`. */
export function networkPoints(text: string): readonly MetricPoint[] {
  const points: MetricPoint[] = []
  for (const line of text.split('\n').slice(2)) {
    const at = line.lastIndexOf(':')
    const device = line.slice(0, at).trim()
    const numbers = line
      .slice(at + 1)
      .trim()
      .split(/\s+/)
      .map(Number)
    if (at < 0 || numbers.length < 16 || numbers.some(Number.isNaN) || NOT_OF_HOST.test(device)) continue
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
