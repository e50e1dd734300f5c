import { describe, expect, it } from '@jest/globals'
import { ContainerLister, type ContainerListerOptions } from '../../agent/src/host/container-lister.js'
import { LIMITS } from '../../agent/src/limits.js'

const ROOT = '/sys/fs/cgroup'
const ID = 'c0ffee0123456789'.repeat(4)
const OTHER = 'f00d'.repeat(16)
const UNSEEN = 'beef'.repeat(16)
const UNNAMED = { image: null, service: null }

type Named = Awaited<ReturnType<ContainerListerOptions['named']>>

function listerOf(tree: Readonly<Record<string, string>>, options: Partial<ContainerListerOptions> = {}) {
  const faults: string[] = []
  let calls = 0
  const folders = (folder: string): readonly string[] => {
    const below = Object.keys(tree).filter(path => path.startsWith(`${folder}/`))
    const names = below.map(path => path.slice(folder.length + 1)).filter(rest => rest.includes('/'))
    return [...new Set(names.map(rest => rest.slice(0, rest.indexOf('/'))))]
  }
  const named = options.named ?? (() => Promise.reject(new Error('no daemon')))
  const lister = new ContainerLister({
    files: { read: path => tree[path] ?? '', folders, link: () => '' },
    isNamedAlways: false,
    onFault: event => faults.push(event),
    ...options,
    named: () => (calls++, named())
  })
  return { lister, faults, calls: () => calls }
}

const UNIFIED = { [`${ROOT}/cgroup.controllers`]: 'cpu memory\n' }
const TWO = {
  ...UNIFIED,
  [`${ROOT}/system.slice/docker-${ID}.scope/cgroup.events`]: 'populated 1\nfrozen 0\n',
  [`${ROOT}/kubepods.slice/cri-containerd-${OTHER}.scope/cgroup.events`]: 'populated 1\nfrozen 1\n'
}

function named(changes: Partial<Named[number]>): Named[number] {
  return { id: ID, name: 'db', image: 'postgres:17', labels: {}, state: 'running', ...changes }
}

describe('the containers of a machine', () => {
  it('are those of its cgroups', async () => {
    await expect(listerOf(TWO).lister.collect()).resolves.toEqual([
      { id: ID.slice(0, 12), name: ID.slice(0, 12), ...UNNAMED, runtime: 'docker', state: 'running' },
      { id: OTHER.slice(0, 12), name: OTHER.slice(0, 12), ...UNNAMED, runtime: 'containerd', state: 'paused' }
    ])
    const ofVersion1 = { [`${ROOT}/memory/docker/${ID}/memory.stat`]: '' }
    const [container] = await listerOf(ofVersion1).lister.collect()
    expect(container).toMatchObject({ runtime: 'docker', state: null })
  })

  it('have the names, images, services and states of the runtime, also while it does not respond', async () => {
    const results: (Named | Error)[] = [
      [
        named({ labels: { 'com.docker.compose.service': 'ledger' } }),
        named({ id: UNSEEN, name: 'a\u001b[31m', image: '', state: 'paused' }),
        named({ id: 'dead'.repeat(16), state: 'exited' })
      ],
      new Error('no response')
    ]
    const { lister } = listerOf(TWO, {
      named: async () => {
        const result = results.shift()!
        if (result instanceof Error) throw result
        return result
      }
    })
    const expected = [
      { id: UNSEEN.slice(0, 12), name: 'a\uFFFD[31m', ...UNNAMED, runtime: 'docker', state: 'paused' },
      { id: ID.slice(0, 12), name: 'db', image: 'postgres:17', runtime: 'docker', service: 'ledger', state: 'running' },
      { id: OTHER.slice(0, 12), name: OTHER.slice(0, 12), ...UNNAMED, runtime: 'containerd', state: 'paused' }
    ]
    await expect(lister.collect()).resolves.toEqual(expected)
    await expect(lister.collect()).resolves.toEqual(expected)
  })

  it('are requested of the runtime only where cgroups are found, or may be hidden from the agent', async () => {
    const none = listerOf(UNIFIED)
    await expect(none.lister.collect()).resolves.toEqual([])
    const inside = listerOf(UNIFIED, { named: async () => [named({})], isNamedAlways: true })
    expect((await inside.lister.collect()).map(({ name }) => name)).toEqual(['db'])
    expect([none.calls(), inside.calls()]).toEqual([0, 1])
  })

  it('are not listed any more once their cgroup is gone, whether or not the runtime responds', async () => {
    for (const isNamedAlways of [false, true]) {
      const tree: Record<string, string> = { ...TWO }
      let isUp = true
      const { lister } = listerOf(tree, {
        named: () => (isUp ? Promise.resolve([named({})]) : Promise.reject(new Error('no response'))),
        isNamedAlways
      })
      expect(await lister.collect()).toHaveLength(2)
      isUp = false
      for (const path of Object.keys(TWO)) if (!(path in UNIFIED)) delete tree[path]
      await expect(lister.collect()).resolves.toEqual([])
    }
  })

  it('without a visible cgroup are listed for three collections without a response of the runtime', async () => {
    let isUp = true
    const { lister } = listerOf(UNIFIED, {
      named: () => (isUp ? Promise.resolve([named({})]) : Promise.reject(new Error('no response'))),
      isNamedAlways: true
    })
    const numbers: number[] = []
    for (const up of [true, false, false, false, false, true, false]) {
      isUp = up
      numbers.push((await lister.collect()).length)
    }
    expect(numbers).toEqual([1, 1, 1, 1, 0, 1, 1])
  })

  it('are bounded in number, length and bytes, and the log reports it', async () => {
    const many = (name: string, image: string) =>
      Array.from({ length: LIMITS.reportedContainers + 1 }, (_, i) =>
        named({ id: i.toString(16).padStart(64, '0'), name, image })
      )
    const short = listerOf(UNIFIED, { named: async () => many('n', 'i'), isNamedAlways: true })
    expect([(await short.lister.collect()).length, short.faults]).toEqual([LIMITS.reportedContainers, ['too many containers']])
    const long = listerOf(UNIFIED, { named: async () => many('n'.repeat(300), 'i'.repeat(600)), isNamedAlways: true })
    const found = await long.lister.collect()
    expect([found[0]!.name.length, found[0]!.image!.length, long.faults]).toEqual([255, 512, ['too many containers']])
    const bytes = Buffer.byteLength(JSON.stringify(found))
    expect(bytes).toBeLessThanOrEqual(LIMITS.reportedContainerBytes)
    expect(bytes + bytes / found.length).toBeGreaterThan(LIMITS.reportedContainerBytes)
  })
})
