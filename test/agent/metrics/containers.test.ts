import { describe, expect, it } from '@jest/globals'
import { ContainerCollector } from '../../../agent/src/metrics/container-collector.js'
import { type ContainerFiles, findContainers } from '../../../agent/src/metrics/containers.js'
import { LIMITS } from '../../../agent/src/limits.js'

const ID = 'c0ffee0123456789'.repeat(4)
const OTHER = 'f00d'.repeat(16)
const SHORT = ID.slice(0, 12)
const ROOT = '/sys/fs/cgroup'

/** A machine of these files; links are those that begin with `->`. */
function machine(tree: Readonly<Record<string, string>>): ContainerFiles & { readonly looks: string[] } {
  const looks: string[] = []
  return {
    looks,
    read: path => tree[path] ?? '',
    link: path => tree[`->${path}`] ?? '',
    folders: folder => {
      looks.push(folder)
      const below = Object.keys(tree).filter(path => path.startsWith(`${folder}/`))
      const names = below.map(path => path.slice(folder.length + 1)).filter(rest => rest.includes('/'))
      return [...new Set(names.map(rest => rest.slice(0, rest.indexOf('/'))))]
    }
  }
}

function collected(tree: Readonly<Record<string, string>>): readonly string[] {
  const collector = new ContainerCollector(
    machine(tree),
    () => 0,
    () => undefined
  )
  return collector.collect().map(({ name, type, value, labels }) => {
    const { container, direction } = labels
    return [name, type, value, container, ...(direction === undefined ? [] : [direction])].join(' ')
  })
}

/** Interface, then received and sent bytes where `/proc/net/dev` has them. */
const device = (name: string, received: number, sent: number): string =>
  `  ${name}: ${received} 1 0 0 0 0 0 0 ${sent} 2 0 0 0 0 0 0`

describe('the metrics of containers', () => {
  it('are those of cgroups of version 2', () => {
    const folder = `${ROOT}/system.slice/docker-${ID}.scope`
    const tree = {
      [`${ROOT}/cgroup.controllers`]: 'cpu memory\n',
      [`${ROOT}/system.slice/cron.service/cpu.stat`]: 'usage_usec 9\n',
      [`${folder}/cpu.stat`]: 'usage_usec 2500000\nuser_usec 1\n',
      [`${folder}/memory.current`]: '1000\n',
      [`${folder}/memory.max`]: '1600\n',
      [`${folder}/memory.stat`]: 'anon 5\ninactive_file 200\n',
      [`${folder}/io.stat`]: '8:0 rbytes=10 wbytes=20 rios=1 wios=2\n8:16 rbytes=1 wbytes=2 rios=1 wios=2\n',
      [`${folder}/cgroup.procs`]: '42\n43\n',
      '/proc/42/net/dev': `Inter-| Receive\n face |bytes\n${device('lo', 9, 9)}\n${device('eth0', 70, 80)}\n${device('eth1', 7, 8)}\n`,
      '->/proc/42/ns/net': 'net:[2]',
      '->/proc/self/ns/net': 'net:[1]'
    }
    expect(collected(tree)).toEqual([
      `container.cpu.time counter 2.5 ${SHORT}`,
      `container.memory.usage gauge 800 ${SHORT}`,
      `container.memory.limit gauge 1600 ${SHORT}`,
      `container.memory.usage_percent gauge 50 ${SHORT}`,
      `container.disk.io counter 11 ${SHORT} read`,
      `container.disk.io counter 22 ${SHORT} write`,
      `container.network.io counter 77 ${SHORT} receive`,
      `container.network.io counter 88 ${SHORT} transmit`
    ])
  })

  it('are those of cgroups of version 1', () => {
    const tree = {
      [`${ROOT}/memory/docker/${ID}/memory.usage_in_bytes`]: '1000\n',
      [`${ROOT}/memory/docker/${ID}/memory.limit_in_bytes`]: '9223372036854771712\n',
      [`${ROOT}/memory/docker/${ID}/memory.stat`]: 'inactive_file 1\ntotal_inactive_file 400\n',
      [`${ROOT}/memory/docker/${ID}/cgroup.procs`]: '42\n',
      [`${ROOT}/cpuacct/docker/${ID}/cpuacct.usage`]: '1500000000\n',
      [`${ROOT}/blkio/docker/${ID}/blkio.throttle.io_service_bytes`]: '8:0 Read 10\n8:0 Write 20\n8:0 Total 30\nTotal 30\n',
      // The network of the host.
      '->/proc/42/ns/net': 'net:[1]',
      '->/proc/self/ns/net': 'net:[1]'
    }
    expect(collected(tree)).toEqual([
      `container.cpu.time counter 1.5 ${SHORT}`,
      `container.memory.usage gauge 600 ${SHORT}`,
      `container.disk.io counter 10 ${SHORT} read`,
      `container.disk.io counter 20 ${SHORT} write`
    ])
  })

  it('are absent for a container that ended, and for a machine without cgroups', () => {
    const folder = `${ROOT}/docker-${ID}.scope`
    expect(collected({ [`${ROOT}/cgroup.controllers`]: 'cpu\n', [`${folder}/memory.max`]: 'max\n' })).toEqual([])
    expect(collected({})).toEqual([])
  })

  it('are searched for once a minute', () => {
    const files = machine({ [`${ROOT}/cgroup.controllers`]: 'cpu\n', [`${ROOT}/docker-${ID}.scope/cpu.stat`]: 'usage_usec 1\n' })
    let nowMs = 0
    const collector = new ContainerCollector(
      files,
      () => nowMs,
      () => undefined
    )
    const looksAt = (ms: number): number => {
      nowMs = ms
      const before = files.looks.length
      collector.collect()
      return files.looks.length - before
    }
    expect([looksAt(0), looksAt(59_999), looksAt(60_000)]).toEqual([1, 0, 1])
  })
})

describe('the search for containers', () => {
  const limits = { containers: 2, folders: 10 }
  const pods = `/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-podabc.slice`

  it('finds those of Kubernetes, Podman and Docker', () => {
    const paths = [`${pods}/cri-containerd-${ID}.scope`, `/machine.slice/libpod-${OTHER}.scope`]
    const tree = Object.fromEntries(paths.map(path => [`${ROOT}${path}/cpu.stat`, '']))
    const { groups, isCut } = findContainers(machine({ ...tree, [`${ROOT}/cgroup.controllers`]: 'cpu' }), limits)
    expect(groups.map(({ path }) => path).toSorted()).toEqual(paths)
    expect(isCut).toBe(false)
  })

  it('ends at its limits', () => {
    const ids = ['a', 'b', 'c'].map(digit => digit.repeat(64))
    const tree = Object.fromEntries(ids.map(id => [`${ROOT}/docker-${id}.scope/cpu.stat`, '']))
    const files = machine({ ...tree, [`${ROOT}/cgroup.controllers`]: 'cpu' })
    expect(findContainers(files, limits)).toMatchObject({ groups: [{}, {}], isCut: true })
    expect(findContainers(files, { containers: 3, folders: 10 }).isCut).toBe(false)
    expect(findContainers(files, { containers: 3, folders: 0 })).toEqual({ groups: [], isCut: true })
    expect(LIMITS.containers * 8).toBeLessThan(LIMITS.metricSeries)
  })
})
