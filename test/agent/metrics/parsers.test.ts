import { describe, expect, it } from '@jest/globals'
import { cpuPoints, eachCpuPoints, loadPoints, parseCpuTimes, uptimePoints } from '../../../agent/src/metrics/cpu.js'
import { diskPoints } from '../../../agent/src/metrics/disk.js'
import { filesystemPoints, parseDiskTypes, parseMounts } from '../../../agent/src/metrics/filesystem.js'
import { memoryPoints, pagingPoints, parseNumbers } from '../../../agent/src/metrics/memory.js'
import type { MetricPoint } from '../../../agent/src/metrics/metric-point.js'
import { connectionPoints, networkPoints } from '../../../agent/src/metrics/network.js'

/** Values by name and labels. */
function valuesOf(points: readonly MetricPoint[]): Readonly<Record<string, number>> {
  return Object.fromEntries(points.map(({ name, labels, value }) => [[name, ...Object.values(labels)].join(' '), value]))
}

function procStat(cpus: number, ticks: readonly number[]): string {
  const lines = Array.from({ length: cpus }, (_, i) => `cpu${i} ${ticks.join(' ')}`)
  return [`cpu  ${ticks.map(tick => tick * cpus).join(' ')}`, ...lines, 'intr 1 2 3', 'ctxt 5', 'processes 77', ''].join('\n')
}

describe('metrics of the processors', () => {
  it.each([1, 128])('of %i processors', count => {
    const before = parseCpuTimes(procStat(count, [100, 0, 50, 800, 40, 0, 10, 0, 0, 0]))!
    const now = parseCpuTimes(procStat(count, [150, 10, 60, 820, 50, 0, 10, 0, 0, 0]))!
    const values = valuesOf(cpuPoints(before, now))
    expect(values['system.cpu.logical.count']).toBe(count)
    expect(values['system.cpu.time all user']).toBeCloseTo(1.5 * count)
    expect(values['system.cpu.utilization user']).toBeCloseTo(0.5)
    expect(values['system.cpu.usage_percent']).toBeCloseTo(70)
    expect(values['system.processes.created']).toBe(77)
  })

  it('are those of each processor on request, under its number', () => {
    // One was taken away.
    const text = procStat(4, [100, 0, 50, 800]).replace(/^cpu2 .*\n/m, '')
    const values = valuesOf(eachCpuPoints(text))
    expect(Object.keys(values)).toHaveLength(3 * 8)
    expect(values).toMatchObject({ 'system.cpu.time 0 user': 1, 'system.cpu.time 3 idle': 8, 'system.cpu.time 3 steal': 0 })
  })

  it('have no use without an earlier read, after a processor came or went, and when no time passed', () => {
    const one = parseCpuTimes(procStat(1, [100, 0, 50, 800]))!
    const two = parseCpuTimes(procStat(2, [100, 0, 50, 800]))!
    for (const before of [null, two, one])
      expect(Object.keys(valuesOf(cpuPoints(before, one))).filter(name => /utilization|percent/.test(name))).toEqual([])
  })

  it('do not count idle time that the kernel takes back', () => {
    const before = parseCpuTimes(procStat(1, [100, 0, 0, 800]))!
    const now = parseCpuTimes(procStat(1, [110, 0, 0, 799]))!
    expect(valuesOf(cpuPoints(before, now))).toMatchObject({ 'system.cpu.usage_percent': 100, 'system.cpu.utilization idle': 0 })
  })

  it('have load and uptime', () => {
    const load = { 'system.cpu.load_average.1m': 0.5, 'system.cpu.load_average.5m': 1, 'system.cpu.load_average.15m': 12.25 }
    expect(valuesOf(loadPoints('0.50 1.00 12.25 3/412 9071\n'))).toEqual(load)
    expect(valuesOf(uptimePoints('350735.47 234388.90\n'))).toEqual({ 'system.uptime': 350_735.47 })
    expect([...loadPoints(''), ...uptimePoints('')].filter(({ value }) => Number.isNaN(value))).toEqual([])
    expect(parseCpuTimes('')).toBeNull()
  })
})

describe('metrics of memory', () => {
  const MEMINFO = `MemTotal:        1000 kB
MemFree:          100 kB
MemAvailable:     600 kB
Buffers:           50 kB
Cached:           400 kB
Slab:              30 kB
SwapTotal:        200 kB
SwapFree:         150 kB
HugePages_Total:       7
`

  it('count as used what is not available', () => {
    expect(valuesOf(memoryPoints(parseNumbers(MEMINFO)))).toMatchObject({
      'system.memory.limit': 1_024_000,
      'system.memory.usage used': 409_600,
      'system.memory.usage free': 102_400,
      'system.memory.utilization used': 0.4,
      'system.memory.usage_percent': 40,
      'system.paging.usage used': 51_200
    })
    expect(parseNumbers(MEMINFO).get('HugePages_Total')).toBe(7)
  })

  it('are estimated where the kernel does not state what is available', () => {
    const old = MEMINFO.replace(/^MemAvailable.*\n/m, '')
    expect(valuesOf(memoryPoints(parseNumbers(old)))['system.memory.usage_percent']).toBe(45)
    expect(memoryPoints(parseNumbers(''))).toEqual([])
  })

  it('count faults of pages', () => {
    expect(valuesOf(pagingPoints(parseNumbers('pgfault 100\npgmajfault 8\n')))).toEqual({
      'system.paging.faults major': 8,
      'system.paging.faults minor': 92
    })
  })
})

describe('metrics of disks', () => {
  it('are those of whole disks, with and without the fields of newer kernels', () => {
    const stats = `   8       0 sda 100 5 2000 300 40 6 800 90 0 250 390
   8       1 sda1 100 5 2000 300 40 6 800 90 0 250 390
 259       0 nvme0n1 1 0 8 2 3 0 16 4 0 5 6 0 0 0 0 7 8
   7       0 loop0 9 9 9 9 9 9 9 9 9 9 9
 253       0 dm-0 9 9 9 9 9 9 9 9 9 9 9
   8      16 sdb 1 2 3
`
    const values = valuesOf(diskPoints(stats, new Set(['sda', 'nvme0n1', 'loop0', 'dm-0', 'sdb'])))
    expect(values).toMatchObject({
      'system.disk.io sda read': 1_024_000,
      'system.disk.io sda write': 409_600,
      'system.disk.operations sda write': 40,
      'system.disk.operation_time sda read': 0.3,
      'system.disk.io_time sda': 0.25,
      'system.disk.io nvme0n1 read': 4_096
    })
    expect(Object.keys(values)).toHaveLength(14)
  })
})

describe('metrics of the network', () => {
  it('are those of the devices of the host', () => {
    const text = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 9 9 0 0 0 0 0 0 9 9 0 0 0 0 0 0
  eth0:1000 10 1 2 0 0 0 0 500 5 3 4 0 0 0 0
eth0:1: 7 1 0 0 0 0 0 0 8 2 0 0 0 0 0 0
veth12ab: 9 9 0 0 0 0 0 0 9 9 0 0 0 0 0 0
broken
`
    expect(valuesOf(networkPoints(text, false))).toEqual({
      'system.network.io eth0 receive': 1000,
      'system.network.packets eth0 receive': 10,
      'system.network.errors eth0 receive': 1,
      'system.network.dropped eth0 receive': 2,
      'system.network.io eth0 transmit': 500,
      'system.network.packets eth0 transmit': 5,
      'system.network.errors eth0 transmit': 3,
      'system.network.dropped eth0 transmit': 4,
      'system.network.io eth0:1 receive': 7,
      'system.network.packets eth0:1 receive': 1,
      'system.network.errors eth0:1 receive': 0,
      'system.network.dropped eth0:1 receive': 0,
      'system.network.io eth0:1 transmit': 8,
      'system.network.packets eth0:1 transmit': 2,
      'system.network.errors eth0:1 transmit': 0,
      'system.network.dropped eth0:1 transmit': 0
    })
  })
})

describe('metrics of connections', () => {
  it('are those of both versions of IP together', () => {
    const text = `sockets: used 26
TCP: inuse 3 orphan 1 tw 7 alloc 4 mem 0
UDP: inuse 2 mem 0
UDPLITE: inuse 9
TCP6: inuse 4
UDP6: inuse 5
UDPLITE6: inuse 9
`
    expect(valuesOf(connectionPoints(text))).toEqual({
      'system.network.connections tcp in_use': 7,
      'system.network.connections tcp orphan': 1,
      'system.network.connections tcp time_wait': 7,
      'system.network.connections udp in_use': 7
    })
    expect(connectionPoints('')).toEqual([])
  })
})

describe('metrics of file systems', () => {
  it('are those on disks, one of each device, under names with spaces', () => {
    const types = parseDiskTypes('nodev\tsysfs\nnodev\ttmpfs\nnodev\tnfs\n\text4\n\tsquashfs\n\tvfat\n')
    const mounts = `sysfs /sys sysfs rw 0 0
/dev/vda1 /srv/my\\040files ext4 rw 0 0
/dev/vda2 /var/lib/long ext4 rw 0 0
/dev/vda2 / ext4 rw 0 0
/dev/loop1 /snap/core squashfs ro 0 0
server:/share /mnt nfs rw 0 0
pool/home /home zfs rw 0 0
`
    expect(parseMounts(mounts, types)).toEqual([
      { device: '/dev/vda1', mountpoint: '/srv/my files', type: 'ext4' },
      { device: '/dev/vda2', mountpoint: '/', type: 'ext4' },
      { device: 'pool/home', mountpoint: '/home', type: 'zfs' }
    ])
  })

  it('have the percentage of df, which leaves out what is reserved', () => {
    const mount = { device: '/dev/vda1', mountpoint: '/', type: 'ext4' }
    const size = { bsize: 4096, blocks: 1000, bfree: 300, bavail: 250, files: 200, ffree: 150 }
    expect(valuesOf(filesystemPoints(mount, size))).toEqual({
      'system.filesystem.usage /dev/vda1 / ext4 used': 700 * 4096,
      'system.filesystem.usage /dev/vda1 / ext4 free': 250 * 4096,
      'system.filesystem.usage /dev/vda1 / ext4 reserved': 50 * 4096,
      'system.disk.usage_percent /dev/vda1 / ext4': (700 / 950) * 100,
      'system.disk.inodes_percent /dev/vda1 / ext4': 25
    })
    expect(filesystemPoints(mount, { ...size, files: 0, ffree: 0 })).toHaveLength(4)
    expect(filesystemPoints(mount, { ...size, blocks: 0 })).toEqual([])
  })
})
