import { describe, expect, it } from '@jest/globals'
import { SYSTEM_CLOCK } from '../../agent/src/clock.js'
import { FollowLoop } from '../../agent/src/files/follow-loop.js'

/** Files that do nothing, and a watch that notes what is done with it. */
class Script {
  readonly events: string[] = []
  readonly stop = new AbortController()
  isQuiet = true
  bytesRead = 0
  isArmed = false
  readonly folders = ['/logs']
  #change = (): void => undefined
  /** Called at each look. */
  onLook = (_looks: number): void => undefined
  #looks = 0

  readonly watch = {
    isArmed: (): boolean => this.isArmed,
    arm: (folders: readonly string[]): void => {
      this.isArmed = true
      this.events.push(`arm ${folders.join()}`)
    },
    disarm: (): void => {
      if (this.isArmed) this.events.push('disarm')
      this.isArmed = false
    },
    changed: (): Promise<void> => {
      this.events.push('sleep')
      return new Promise(resolve => {
        this.#change = resolve
      })
    }
  }

  async look(): Promise<void> {
    this.events.push('look')
    this.onLook(++this.#looks)
  }

  async step(): Promise<boolean> {
    return false
  }

  change(): void {
    this.#change()
  }

  async run(): Promise<readonly string[]> {
    const { watch } = this
    const armed = Object.defineProperty({ ...watch }, 'isArmed', { get: watch.isArmed }) as unknown as {
      isArmed: boolean
    } & Omit<typeof watch, 'isArmed'>
    await new FollowLoop({
      ...{ followed: this, watch: armed, clock: SYSTEM_CLOCK, pollMs: 2, signal: this.stop.signal },
      onFault: error => this.events.push(String(error))
    }).run()
    return this.events
  }
}

const looks = (count: number): readonly string[] => Array<string>(count).fill('look')

describe('the loop over the files', () => {
  it('watches folders when nothing changes, looks once more, and sleeps', async () => {
    const script = new Script()
    script.onLook = count => {
      if (count === 10) script.stop.abort()
    }
    expect(await script.run()).toEqual([...looks(8), 'arm /logs', 'look', 'sleep', 'look', 'disarm'])
  })

  it('looks at once when something changes, and watches no more', async () => {
    const script = new Script()
    const { changed } = script.watch
    Object.assign(script.watch, {
      changed: () => {
        const change = changed()
        script.change()
        return change
      }
    })
    script.onLook = count => {
      if (count === 12) script.stop.abort()
    }
    expect(await script.run()).toEqual([...looks(8), 'arm /logs', 'look', 'sleep', 'disarm', ...looks(3)])
  })

  it('watches nothing while streams have something to do or bytes are read', async () => {
    for (const make of [(script: Script): unknown => (script.isQuiet = false), (script: Script): unknown => script.bytesRead++]) {
      const script = new Script()
      script.onLook = count => {
        make(script)
        if (count === 30) script.stop.abort()
      }
      expect(await script.run()).toEqual(looks(30))
    }
  })

  it('goes on when a look fails', async () => {
    const script = new Script()
    script.isQuiet = false
    const look = script.look.bind(script)
    script.look = async () => {
      await look()
      throw new Error('no')
    }
    script.onLook = count => {
      if (count === 2) script.stop.abort()
    }
    expect(await script.run()).toEqual(['look', 'Error: no', 'look', 'Error: no'])
  })
})
