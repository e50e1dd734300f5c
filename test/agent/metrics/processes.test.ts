import { readdirSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import type { MetricPoint } from '../../../agent/src/metrics/metric-point.js'
import { readProcesses } from '../../../agent/src/metrics/read-processes.js'
import { ProcTree } from '../listeners/proc-tree.js'
import { parseProcess, parseUsers, type Process, processPoints } from '../../../agent/src/metrics/processes.js'

/** `/proc/<pid>/stat`, as proc(5) has it. */
function procStat(pid: number, name: string, { ppid = 1, user = 0, system = 0, pages = 0, start = 5 } = {}): string {
  const rest = [ppid, pid, pid, 0, -1, 4194560, 1, 0, 0, 0, user, system, 0, 0, 20, 0, 3, 0, start, 1000, pages, 99]
  return `${pid} (${name}) S ${rest.join(' ')}\n`
}

function process(pid: number, name: string, cpuSeconds: number, pages: number, startedAt = 5): Process {
  return { pid, name, status: 'sleeping', cpuSeconds, threads: 1, startedAt, pages, user: 'app', openFiles: 2 }
}

function valuesOf(points: readonly MetricPoint[], metric: string): Readonly<Record<string, number>> {
  return Object.fromEntries(points.flatMap(({ name, labels, value }) => (name === metric ? [[labels['process'], value]] : [])))
}

describe('the line of a process', () => {
  it.each(['java', '(sd-pam)', 'tmux: server', 'a) R 1 (b', ''])('is read when its name is %j', name => {
    expect(parseProcess(procStat(41, name, { user: 150, system: 50, pages: 7 }))).toEqual({
      pid: 41,
      name,
      status: 'sleeping',
      cpuSeconds: 2,
      threads: 3,
      startedAt: 5,
      pages: 7
    })
  })

  it('of the kernel has its kind as name', () => {
    expect(parseProcess(procStat(9, 'kworker/1:1H-kblockd', { ppid: 2 }))!.name).toBe('kworker')
    expect(parseProcess(procStat(9, 'php-fpm: pool www'))!.name).toBe('php-fpm: pool www')
  })

  it.each(['', '41', '41 (a', '41 (a) S 1 2'])('is not %j', text => {
    expect(parseProcess(text)).toBeNull()
  })

  it('has the name of its user', () => {
    expect([...parseUsers('root:x:0:0:root:/root:/bin/sh\nbroken\napp:x:1000:1000::/:\n')]).toEqual([
      [0, 'root'],
      [1000, 'app']
    ])
  })
})

describe('metrics of processes', () => {
  const options = { top: 1, pageBytes: 4096 }
  const before = { atMs: 0, processes: [process(1, 'web', 10, 5), process(2, 'web', 20, 5), process(3, 'db', 7, 100)] }
  const now = {
    atMs: 10_000,
    processes: [
      process(1, 'web', 15, 5),
      process(2, 'web', 21, 5),
      process(3, 'db', 8, 100),
      process(4, 'cron', 2, 1),
      process(5, 'sh', 0, 2)
    ]
  }

  it('are summed by name; the others are summed, too', () => {
    const points = processPoints(before, now, options)
    expect(valuesOf(points, 'process.cpu.utilization')).toEqual({ web: 0.6, db: 0.1, other: 0.2 })
    expect(valuesOf(points, 'process.memory.usage')).toEqual({ web: 40_960, db: 409_600, other: 12_288 })
    expect(points.find(({ name }) => name === 'system.processes.count')).toMatchObject({
      value: 5,
      labels: { status: 'sleeping' }
    })
  })

  it('have their open files where all of them may be counted', () => {
    const hidden = now.processes.map(one => (one.name === 'db' ? { ...one, openFiles: null } : one))
    const points = processPoints(before, { ...now, processes: hidden }, options)
    expect(valuesOf(points, 'process.open_file_descriptors')).toEqual({ web: 4, other: 4 })
  })

  it('do not take a process for one that had its pid', () => {
    const again = { atMs: 10_000, processes: [process(1, 'web', 3, 5, 900)] }
    expect(valuesOf(processPoints(before, again, options), 'process.cpu.utilization')).toEqual({ web: 0.3, other: 0 })
  })

  it('have no use without an earlier read', () => {
    expect(processPoints(null, now, options).map(({ name }) => name)).toEqual(['system.processes.count'])
  })
})

it('counts the open files of this process as the folder of them does', async () => {
  const found = await readProcesses()
  const { openFiles } = found.find(({ pid }) => pid === globalThis.process.pid)!
  // The listing itself opens one.
  expect(Math.abs(openFiles! - readdirSync('/proc/self/fd').length)).toBeLessThanOrEqual(1)
})

describe('the user of a process', () => {
  it('is looked up when the process is new, of a known one it stays', async () => {
    const tree = new ProcTree({ 7: { uid: 0 } }, {})
    const first = await readProcesses([], tree)
    tree.processes = { 7: { uid: 1000 }, 8: { uid: 1000 } }
    const users = (processes: readonly Process[]): readonly string[] => processes.map(({ user }) => user).toSorted()
    expect(users(first)).toEqual(['root'])
    expect(users(await readProcesses(first, tree))).toEqual(['app', 'root'])
    expect(users(await readProcesses([], tree))).toEqual(['app', 'app'])
    const restarted = first.map(process => ({ ...process, startedAt: process.startedAt + 1 }))
    expect(users(await readProcesses(restarted, tree))).toEqual(['app', 'app'])
  })
})
