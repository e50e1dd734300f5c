import { expect, it } from '@jest/globals'
import { OneAtATime } from '../../../src/threads/one-at-a-time.js'

it('work of one key is done one after the other, of others next to it, and what fails delays nothing', async () => {
  const done: string[] = []
  const scheduler = new OneAtATime()
  let release = (): void => undefined
  const waits = new Promise<void>(resolve => (release = resolve))
  const work =
    (name: string, before: Promise<void> = Promise.resolve()) =>
    async () => {
      done.push(`${name} begins`)
      await before
      done.push(`${name} ends`)
      return name
    }
  const first = scheduler.run('a', work('first', waits))
  const failing = scheduler.run('a', async () => Promise.reject(new Error('broken')))
  const last = scheduler.run('a', work('last'))
  expect(await scheduler.run('b', work('second'))).toBe('second')
  release()
  await expect(failing).rejects.toThrow('broken')
  expect(await Promise.all([first, last])).toEqual(['first', 'last'])
  expect(done).toEqual(['first begins', 'second begins', 'second ends', 'first ends', 'last begins', 'last ends'])
})
