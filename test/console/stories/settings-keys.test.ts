import { expect, it } from '@jest/globals'
import type { Locator } from 'playwright-core'
import { describeStory } from '../support/describe-story.js'
import type { Person } from '../support/story.js'

describeStory('settings of a namespace: keys', story => {
  let ada: Person
  const open = (person: Person, section: string) => person.page.goto(`/n/${story.service().first.namespace}/settings/${section}`)
  const dialog = (name: string): Locator => ada.page.getByRole('dialog', { name })

  it('explains the role of the user', async () => {
    const { first } = story.service()
    ada = await story.arrive()
    await ada.page.goto(`/n/${first.namespace}/settings`)
    await ada.signIn(first.email, first.password!)
    await ada.page.getByRole('heading', { name: 'Your role: admin' }).waitFor()
    await ada.page.waitForURL(/\/settings\/general$/)
    await ada.picture('settings-general')
    await expect(ada.inspect()).resolves.toEqual([])
  })

  it('creates a key whose secret is shown once and works', async () => {
    const { api } = story.service()
    await open(ada, 'keys')
    await ada.page.getByRole('button', { name: 'Create key' }).click()
    await dialog('Create key').getByRole('textbox', { name: 'Name' }).fill('shop')
    await dialog('Create key').getByRole('combobox', { name: 'Kind' }).selectOption('INGEST')
    await ada.picture('settings-create-key')
    await dialog('Create key').getByRole('button', { name: 'Create' }).click()
    const secret = await dialog('Create key').getByRole('textbox', { name: 'Secret' }).inputValue()
    await dialog('Create key').getByLabel('Command that tries the key').getByText(secret).waitFor()
    await ada.picture('settings-secret')
    await expect(ada.inspect()).resolves.toEqual([])
    const sent = await api('/api/v1/logs', { method: 'POST', headers: { 'x-api-key': secret }, json: { message: 'hello' } })
    expect(sent.status).toBe(200)
    await ada.page.keyboard.press('Escape')
    await ada.page
      .getByRole('grid', { name: 'Keys' })
      .getByRole('row', { name: /shop INGEST active/ })
      .waitFor()
    await expect(ada.page.content()).resolves.not.toContain(secret)
  })

  it('rotates a key with a grace period and revokes it, by keyboard', async () => {
    const grid = ada.page.getByRole('grid', { name: 'Keys' })
    await grid.focus()
    await ada.page.keyboard.press('Enter')
    const detail = ada.page.getByRole('complementary', { name: 'Key detail' })
    await detail.getByRole('button', { name: 'Rotate key', disabled: false }).press('Enter')
    await dialog('Rotate key').getByRole('button', { name: 'Rotate' }).press('Enter')
    await dialog('Rotate key').getByRole('textbox', { name: 'Secret' }).waitFor()
    await dialog('Rotate key').getByRole('button', { name: 'Done' }).press('Enter')
    await grid.getByRole('row', { name: /shop INGEST rotating/ }).waitFor()
    await ada.picture('settings-keys')
    await expect(ada.inspect()).resolves.toEqual([])
    await detail.getByRole('button', { name: 'Revoke key', disabled: false }).press('Enter')
    await dialog('Revoke key').getByRole('button', { name: 'Revoke' }).press('Enter')
    await grid.getByRole('row', { name: /shop INGEST revoked/ }).waitFor()
  })

  it('passes axe in the dark theme', async () => {
    await open(ada, 'keys')
    await ada.chooseTheme('Dark')
    await ada.page.getByRole('grid', { name: 'Keys' }).waitFor()
    await expect(ada.inspect()).resolves.toEqual([])
    await ada.picture('settings-dark')
    expect(ada.faults).toEqual([])
  })
})
