import { beforeAll, expect, it } from '@jest/globals'
import type { Locator } from 'playwright-core'
import { describeStory } from '../support/describe-story.js'
import { joinAs } from '../support/second-user.js'
import type { Person } from '../support/story.js'

describeStory('settings of a namespace: members', story => {
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

  it('invites by a link that is shown once', async () => {
    await open(ada, 'members')
    await ada.page.getByRole('button', { name: 'Invite member' }).click()
    await dialog('Invite member').getByRole('combobox', { name: 'Role' }).selectOption('VIEWER')
    await dialog('Invite member').getByRole('button', { name: 'Create invitation' }).click()
    const link = await dialog('Invite member').getByRole('textbox', { name: 'Invitation link' }).inputValue()
    expect(new URL(link).pathname).toBe('/invite')
    await dialog('Invite member').getByRole('button', { name: 'Done' }).click()
    await ada.page.getByRole('table', { name: 'Invitations' }).getByRole('button', { name: 'Revoke invitation' }).click()
    await ada.page.getByRole('table', { name: 'Invitations' }).waitFor({ state: 'detached' })
  })

  it('changes the role of a member, whose page then states who may', async () => {
    const { email, password } = await joinAs(story.service(), 'ADMIN', 'vera@example.test')
    const vera = await story.arrive()
    await open(vera, 'keys')
    await vera.signIn(email, password)
    await vera.page.getByRole('button', { name: 'Create key' }).click()
    await ada.page.getByRole('button', { name: 'Refresh' }).click()
    await ada.page
      .getByRole('grid', { name: 'Members' })
      .getByRole('row', { name: /vera@example.test/ })
      .click()
    const detail = ada.page.getByRole('complementary', { name: 'Member detail' })
    await detail.getByRole('combobox', { name: 'Role' }).selectOption('VIEWER')
    await detail.getByRole('button', { name: 'Change role' }).click()
    await ada.page.getByRole('row', { name: /vera@example.test – viewer/ }).waitFor()
    await ada.picture('settings-members')
    await expect(ada.inspect()).resolves.toEqual([])
    const form = vera.page.getByRole('dialog', { name: 'Create key' })
    await form.getByRole('textbox', { name: 'Name' }).fill('too late')
    await form.getByRole('button', { name: 'Create' }).click()
    await form.getByRole('alert').waitFor()
    await vera.page.keyboard.press('Escape')
    await vera.page.getByRole('heading', { name: 'Only admins see keys' }).waitFor()
    await vera.page.getByRole('button', { name: 'Create key', disabled: true }).waitFor()
    await vera.picture('settings-keys-viewer')
    expect(vera.faults).toEqual([])
  })
})
