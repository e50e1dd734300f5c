import type { BrowserContext, Page } from 'playwright-core'
import type { ServiceProcess } from '../service/service-process.js'

/** Debian's Chromium. */
export const CHROMIUM = '/usr/bin/chromium'

/** A page of logs, signed in. */
export async function openLogs(context: BrowserContext, service: ServiceProcess): Promise<Page> {
  const page = await context.newPage()
  const { email, password } = service.firstRun()
  await page.goto(`${service.url}/`)
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('row').nth(1).waitFor()
  return page
}
