import { counter, type MetricPoint } from './metric-point.js'

/** Unit of `/proc/diskstats`, whatever the sectors of the disk are. */
const SECTOR_BYTES = 512
const MS_PER_SECOND = 1000
/** Devices that are files, memory, or made of other devices, which are counted themselves. */
const NOT_DISKS = /^(?:loop|ram|zram|dm-|md|sr|fd)\d*/

/** Reads, writes and busy time of whole disks. @param devices names in `/sys/block`, which has no partitions. */
export function diskPoints(diskstats: string, devices: ReadonlySet<string>): readonly MetricPoint[] {
  const points: MetricPoint[] = []
  for (const line of diskstats.split('\n')) {
    const [, , device, ...rest] = line.trim().split(/\s+/)
    if (device === undefined || !devices.has(device) || NOT_DISKS.test(device)) continue
    const numbers = rest.map(Number)
    if (numbers.length < 10 || numbers.some(Number.isNaN)) continue
    const directions = [
      ['read', numbers.slice(0, 4)],
      ['write', numbers.slice(4, 8)]
    ] as const
    for (const [direction, [operations, , sectors, ms]] of directions) {
      const labels = { device, direction }
      points.push(
        counter('system.disk.io', sectors! * SECTOR_BYTES, labels),
        counter('system.disk.operations', operations!, labels),
        counter('system.disk.operation_time', ms! / MS_PER_SECOND, labels)
      )
    }
    points.push(counter('system.disk.io_time', numbers[9]! / MS_PER_SECOND, { device }))
  }
  return points
}
