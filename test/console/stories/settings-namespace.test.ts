import { beforeAll, expect, it } from '@jest/globals'
import type { Locator } from 'playwright-core'
import { describeStory } from '../support/describe-story.js'
import type { Person } from '../support/story.js'

describeStory('settings of a namespace: name, deletion and account', story => {
  let ada: Person
  const open = (person: Person, section: string) => person.page.goto(`/n/${story.service().first.namespace}/settings/${section}`)
  const dialog = (name: string): Locator => ada.page.getByRole('dialog', { name })

  beforeAll(async () => {
    const { first } = story.service()
    ada = await story.arrive()
    await open(ada, 'general')
    await ada.signIn(first.email, first.password!)
    await ada.page.getByRole('heading', { name: 'Your role: admin' }).waitFor()
  })

  it('keeps the zone of the address from section to section', async () => {
    await ada.page.goto(`/n/${story.service().first.namespace}/settings/general?tz=Asia/Tokyo`)
    await ada.page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Members' }).click()
    await ada.page.getByRole('columnheader', { name: 'Since (Asia/Tokyo)' }).waitFor()
    expect(new URL(ada.page.url()).searchParams.get('tz')).toBe('Asia/Tokyo')
  })

  it('names an unknown section', async () => {
    await open(ada, 'nothing')
    await ada.page.getByRole('heading', { name: 'No section “nothing”' }).waitFor()
  })

  it('creates a namespace, and deletes it only by its name', async () => {
    const { first } = story.service()
    await open(ada, 'general')
    await ada.page.getByRole('button', { name: 'Create namespace' }).click()
    await dialog('Create namespace').getByRole('textbox', { name: 'Name' }).fill('staging')
    await dialog('Create namespace').getByRole('button', { name: 'Create' }).click()
    await ada.page.waitForURL(/\/n\/staging\/settings\/keys$/)
    await ada.page.getByRole('heading', { name: 'No keys yet' }).waitFor()
    await ada.page.getByRole('link', { name: 'General' }).click()
    await ada.page.getByRole('button', { name: 'Delete namespace' }).click()
    await dialog('Delete namespace').getByRole('textbox', { name: 'Name of the namespace' }).fill(first.namespace)
    await dialog('Delete namespace').getByRole('button', { name: 'Delete' }).click()
    await dialog('Delete namespace').getByRole('alert').waitFor()
    await dialog('Delete namespace').getByRole('textbox', { name: 'Name of the namespace' }).fill('staging')
    await dialog('Delete namespace').getByRole('button', { name: 'Delete' }).click()
    await ada.page.getByRole('heading', { level: 1, name: 'Logs' }).waitFor()
    expect(new URL(ada.page.url()).pathname).not.toContain('staging')
  })

  it('changes the password', async () => {
    const { first } = story.service()
    await open(ada, 'account')
    await ada.page.getByRole('table', { name: 'Memberships' }).waitFor()
    await ada.picture('settings-account')
    await expect(ada.inspect()).resolves.toEqual([])
    await ada.page.getByLabel('Current password').fill(first.password!)
    await ada.page.getByLabel('New password', { exact: true }).fill('a longer passphrase')
    await ada.page.getByLabel('New password, again').fill('another passphrase')
    await ada.page.getByRole('button', { name: 'Change password' }).click()
    await ada.page.getByText('The new passwords differ').waitFor()
    await ada.page.getByLabel('New password, again').fill('a longer passphrase')
    await ada.page.getByRole('button', { name: 'Change password' }).click()
    await ada.page.getByText('Password changed. Your other sessions have ended.').waitFor()
    await story.service().login(first.email, 'a longer passphrase')
  })

  it('loads nothing from elsewhere and violates no policy', () => {
    expect(ada.faults).toEqual([])
  })
})
