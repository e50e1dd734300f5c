import { expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { describeStory } from '../support/describe-story.js'
import type { Person } from '../support/story.js'

const RESULT = /complete/

async function logsOf(page: Page): Promise<void> {
  await page.getByRole('status', { name: 'Result' }).getByText(RESULT).waitFor()
}

describeStory('a session in the browser', story => {
  let ada: Person

  it('outlives a reload', async () => {
    const { first } = story.service()
    ada = await story.arrive()
    await ada.page.goto('/')
    await ada.signIn(first.email, first.password!)
    await logsOf(ada.page)
    await ada.page.reload()
    await logsOf(ada.page)
  })

  it('leaves nothing in the storage of scripts', async () => {
    const stored = await ada.page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])'
    )
    expect(stored).not.toMatch(/ali_|eyJ/)
    const bob = await story.arrive()
    await bob.page.goto('/')
    await bob.page.evaluate(
      `(([local, session]) => { Object.assign(localStorage, local); Object.assign(sessionStorage, session) })(${stored})`
    )
    await bob.page.reload()
    await bob.page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  it('is the same in two tabs that open at once', async () => {
    const tabs = await Promise.all([0, 1, 2].map(() => ada.page.context().newPage()))
    await Promise.all(tabs.map(tab => tab.goto('/')))
    for (const tab of tabs) await logsOf(tab)
    await Promise.all(tabs.map(tab => tab.reload()))
    for (const tab of tabs) await logsOf(tab)
  })

  it('reports why an attempt is refused, and keeps what was typed', async () => {
    const eve = await story.arrive()
    await eve.page.goto('/login')
    await eve.signIn('absent@example.test', 'wrong password')
    await eve.page.getByRole('alert').waitFor()
    await expect(eve.page.getByRole('textbox', { name: 'E-mail' }).inputValue()).resolves.toBe('absent@example.test')
    await expect(eve.inspect()).resolves.toEqual([])
    await eve.picture('sign-in')
  })

  it('has one page for foreign and for unknown namespaces', async () => {
    await ada.page.goto('/n/other-team/logs')
    await ada.page.getByRole('heading', { name: 'You are not a member of a namespace “other-team”' }).waitFor()
    await ada.page.getByRole('link', { name: story.service().first.namespace }).click()
    await logsOf(ada.page)
  })

  it('ends in all tabs when one signs out', async () => {
    const other = await ada.page.context().newPage()
    await other.goto('/')
    await logsOf(other)
    await ada.page.getByRole('button', { name: 'Account' }).click()
    await ada.page.getByRole('menuitem', { name: 'Sign out' }).click()
    await ada.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await other.getByRole('heading', { name: 'Sign in' }).waitFor()
    await ada.page.reload()
    await ada.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(ada.faults).toEqual([])
  })
})
