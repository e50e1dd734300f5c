import { beforeAll, expect, it } from '@jest/globals'
import type { Locator } from 'playwright-core'
import { describeStory } from '../support/describe-story.js'
import type { Person } from '../support/story.js'

describeStory('settings of a namespace: retention, usage and audit log', story => {
  let ada: Person
  const open = (person: Person, section: string) => person.page.goto(`/n/${story.service().first.namespace}/settings/${section}`)
  const dialog = (name: string): Locator => ada.page.getByRole('dialog', { name })

  beforeAll(async () => {
    const { first } = story.service()
    await story.service().api('/api/v1/logs', {
      method: 'POST',
      headers: { 'x-api-key': first.ingestKey },
      json: { message: 'hello' }
    })
    ada = await story.arrive()
    await open(ada, 'general')
    await ada.signIn(first.email, first.password!)
    await ada.page.getByRole('heading', { name: 'Your role: admin' }).waitFor()
  })

  it('shows what a shorter retention deletes before it does', async () => {
    await open(ada, 'retention')
    const logs = ada.page.getByRole('textbox', { name: 'Logs' })
    await logs.fill('soon')
    await ada.page.getByText('Write a duration from 1m to 100y').waitFor()
    await logs.fill('1d')
    await ada.page.getByText(/This deletes records before .*, about 0\./).waitFor()
    await ada.picture('settings-retention')
    await ada.page.getByRole('button', { name: 'Save' }).click()
    await dialog('Delete older records').getByRole('button', { name: 'Delete and save' }).click()
    await ada.page.getByText('Saved.').waitFor()
    await ada.page.reload()
    await expect(ada.page.getByRole('textbox', { name: 'Logs' }).inputValue()).resolves.toBe('1d')
    await expect(ada.inspect()).resolves.toEqual([])
  })

  it('shows usage and the audit log', async () => {
    await open(ada, 'usage')
    await ada.page
      .getByRole('table', { name: 'Usage by signal' })
      .getByRole('row', { name: /Logs 1 0/ })
      .waitFor()
    await ada.picture('settings-usage')
    await expect(ada.inspect()).resolves.toEqual([])
    await open(ada, 'audit')
    await ada.page.getByRole('row', { name: /namespace.retention_changed/ }).click()
    await ada.page.getByRole('complementary', { name: 'Entry detail' }).getByText('"logs": "1d"').waitFor()
    await ada.picture('settings-audit')
    await expect(ada.inspect()).resolves.toEqual([])
  })
})
