import { describe, expect, it } from '@jest/globals'
import { ContainerCollector } from '../../../agent/src/metrics/container-collector.js'
import { type ContainerFiles, findContainers } from '../../../agent/src/metrics/containers.js'
import { containerRuntimeOf } from '../../../agent/src/listeners/cgroup.js'
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

const options = {
  elapsedMs: () => 0,
  named: () => Promise.reject(new Error('no daemon')),
  onCut: () => undefined
}

async function collected(tree: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const points = await new ContainerCollector({ ...options, files: machine(tree) }).collect()
  return points.map(({ name, type, value, labels }) => {
    const { container, direction } = labels
    return [name, type, value, container, ...(direction === undefined ? [] : [direction])].join(' ')
  })
}

/** Interface, then received and sent bytes where `/proc/net/dev` has them. */
const device = (name: string, received: number, sent: number): string =>
  `  ${name}: ${received} 1 0 0 0 0 0 0 ${sent} 2 0 0 0 0 0 0`

describe('the metrics of containers', () => {
  it('are those of cgroups of version 2', async () => {
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
    await expect(collected(tree)).resolves.toEqual([
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

  it('are those of cgroups of version 1', async () => {
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
    await expect(collected(tree)).resolves.toEqual([
      `container.cpu.time counter 1.5 ${SHORT}`,
      `container.memory.usage gauge 600 ${SHORT}`,
      `container.disk.io counter 10 ${SHORT} read`,
      `container.disk.io counter 20 ${SHORT} write`
    ])
  })

  it('are absent for a container that ended, and for a machine without cgroups', async () => {
    const folder = `${ROOT}/docker-${ID}.scope`
    await expect(collected({ [`${ROOT}/cgroup.controllers`]: 'cpu\n', [`${folder}/memory.max`]: 'max\n' })).resolves.toEqual([])
    await expect(collected({})).resolves.toEqual([])
  })

  it('have the use of CPU since the read before, from zero when a container started again', async () => {
    const tree: Record<string, string> = { [`${ROOT}/cgroup.controllers`]: 'cpu\n' }
    let nowMs = 0
    const collector = new ContainerCollector({ ...options, files: machine(tree), elapsedMs: () => nowMs })
    const useAt = async (ms: number, usageUs: number): Promise<number | undefined> => {
      tree[`${ROOT}/docker-${ID}.scope/cpu.stat`] = `usage_usec ${usageUs}\n`
      nowMs = ms
      return (await collector.collect()).find(({ name }) => name === 'container.cpu.utilization')?.value
    }
    const uses = [
      await useAt(0, 5_000_000),
      await useAt(10_000, 10_000_000),
      await useAt(20_000, 1),
      await useAt(60_000, 2_000_001)
    ]
    expect(uses).toEqual([undefined, 0.5, undefined, 0.05])
  })

  it('have the names of Docker, which stay while it does not respond', async () => {
    const files = machine({ [`${ROOT}/cgroup.controllers`]: 'cpu\n', [`${ROOT}/docker-${ID}.scope/cpu.stat`]: 'usage_usec 1\n' })
    const shop = { id: ID, name: 'shop-web-1', image: 'shop/web:7', labels: { 'com.docker.compose.service': 'web' } }
    const replies = [() => Promise.reject(new Error('EACCES')), async () => [shop], () => Promise.reject(new Error('ENOENT'))]
    let nowMs = 0
    const collector = new ContainerCollector({ ...options, files, elapsedMs: () => nowMs, named: () => replies.shift()!() })
    const labelsAt = async (ms: number): Promise<unknown> => {
      nowMs = ms
      return (await collector.collect())[0]!.labels
    }
    const named = { container: 'shop-web-1', image: 'shop/web:7', service: 'web', runtime: 'docker' }
    expect([await labelsAt(0), await labelsAt(60_000), await labelsAt(120_000)]).toEqual([
      { container: SHORT, runtime: 'docker' },
      named,
      named
    ])
  })

  it('are searched for once a minute', async () => {
    const files = machine({ [`${ROOT}/cgroup.controllers`]: 'cpu\n', [`${ROOT}/docker-${ID}.scope/cpu.stat`]: 'usage_usec 1\n' })
    let nowMs = 0
    const collector = new ContainerCollector({ ...options, files, elapsedMs: () => nowMs })
    const looksAt = async (ms: number): Promise<number> => {
      nowMs = ms
      const before = files.looks.length
      await collector.collect()
      return files.looks.length - before
    }
    expect([await looksAt(0), await looksAt(59_999), await looksAt(60_000)]).toEqual([1, 0, 1])
  })
})

describe('the runtime of a container', () => {
  it.each([
    [`/system.slice/docker-${ID}.scope`, 'docker'],
    [`/docker/${ID}`, 'docker'],
    [`/kubepods.slice/cri-containerd-${ID}.scope`, 'containerd'],
    [`/kubepods.slice/crio-${ID}.scope`, 'cri-o'],
    [`/machine.slice/libpod-${ID}.scope/container`, 'podman'],
    [`/kubepods/burstable/podabc/${ID}`, null],
    ['/system.slice/docker.service', null]
  ])('of %s is %s', (path, runtime) => {
    expect(containerRuntimeOf(path)).toBe(runtime)
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
    expect(LIMITS.containers * 9).toBeLessThan(LIMITS.metricSeries)
  })
})
