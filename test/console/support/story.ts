import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { addFailureReport } from '../../support/failure-reports.js'
import { watchInteractions } from './interactions.js'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** Criteria of WCAG 2.2, levels A and AA. */
const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const WIDE = { width: 1440, height: 900 }
const ACTION_TIMEOUT_MS = 15_000
/** Of the page of a person, in the report of a failed case. */
const REPORTED_CHARACTERS = 6_000
const REPORT_TIMEOUT_MS = 5_000

/** Runs in each page before its own scripts. */
const REPORT_VIOLATIONS = `document.addEventListener('securitypolicyviolation', event => {
  reportViolation(event.violatedDirective + ' ' + event.blockedURI)
})`

/** A finding of axe, short enough for a failed assertion. */
export interface AccessibilityFinding {
  readonly rule: string
  readonly targets: readonly string[]
}

/** One person in front of a browser, and everything that went wrong on their pages. */
export class Person {
  readonly page: Page
  /** Console errors, exceptions, violations of the content security policy and requests to another origin. */
  readonly faults: string[] = []
  readonly #context: BrowserContext
  readonly #removeReport: () => void

  private constructor(context: BrowserContext, page: Page) {
    this.#context = context
    this.page = page
    this.#removeReport = addFailureReport(() => this.#report())
  }

  /** Opens a browser profile of its own. */
  static async arrive(browser: Browser, url: string, options: { readonly zone?: string } = {}): Promise<Person> {
    const context = await browser.newContext({
      baseURL: url,
      viewport: WIDE,
      timezoneId: options.zone ?? 'UTC',
      permissions: ['clipboard-read', 'clipboard-write']
    })
    context.setDefaultTimeout(ACTION_TIMEOUT_MS)
    const page = await context.newPage()
    const person = new Person(context, page)
    await person.#watch(url)
    return person
  }

  async #watch(url: string): Promise<void> {
    const { page, faults } = this
    await watchInteractions(page)
    await page.exposeFunction('reportViolation', (text: string) => faults.push(`policy: ${text}`))
    await page.addInitScript({ content: REPORT_VIOLATIONS })
    page.on('pageerror', error => faults.push(`exception: ${error.message}`))
    page.on('console', message => {
      // Chromium logs each response of 4xx and 5xx and each socket that cannot connect; a story asserts what the page makes of it.
      const isOfNetwork = /^(?:Failed to load resource|WebSocket connection to )/.test(message.text())
      if (message.type() === 'error' && !isOfNetwork) faults.push(message.text())
    })
    page.on('request', request => {
      if (!request.url().startsWith(url) && !/^(?:data|blob):/.test(request.url()))
        faults.push(`foreign request: ${request.url()}`)
    })
  }

  /** Signs in on the current page. */
  async signIn(email: string, password: string): Promise<void> {
    await this.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await this.page.getByRole('textbox', { name: 'E-mail' }).fill(email)
    await this.page.getByLabel('Password').fill(password)
    await this.page.getByRole('button', { name: 'Sign in' }).click()
  }

  /** What axe finds on the page, in the theme that it has. */
  async inspect(): Promise<readonly AccessibilityFinding[]> {
    return this.page.evaluate(
      async ({ source, tags }) => {
        interface Axe {
          run(context: unknown, options: unknown): Promise<{ violations: { id: string; nodes: { target: string[] }[] }[] }>
        }
        const scope = globalThis as unknown as { axe?: Axe; readonly document: unknown }
        // Scripts of the developer tools are outside the policy of the page.
        // eslint-disable-next-line no-eval -- the source of axe, from its package
        if (!scope.axe) (0, eval)(source)
        const { violations } = await scope.axe!.run(scope.document, { runOnly: tags })
        return violations.map(({ id, nodes }) => ({ rule: id, targets: nodes.map(node => node.target.join(' ')) }))
      },
      { source: AXE, tags: AXE_TAGS }
    )
  }

  /** Chooses a theme by the account menu. */
  async chooseTheme(name: 'Light' | 'Dark' | 'System'): Promise<void> {
    await this.page.getByRole('button', { name: 'Account' }).click()
    await this.page.getByRole('menuitemradio', { name }).click()
    await this.page.getByRole('menu').waitFor({ state: 'detached' })
  }

  /** Writes a picture of the page to `ALIDADE_TEST_PICTURES`, when that names a folder. */
  async picture(name: string): Promise<void> {
    const folder = process.env['ALIDADE_TEST_PICTURES']
    if (folder === undefined) return
    const path = join(folder, `${name}.png`)
    mkdirSync(dirname(path), { recursive: true })
    await this.page.screenshot({ path })
  }

  /** What the person has before them. */
  async #report(): Promise<string> {
    const seen = await this.page.locator('body').ariaSnapshot({ timeout: REPORT_TIMEOUT_MS })
    const withoutLinks = seen.replaceAll(/^ *- \/url: .*\n/gm, '')
    return [`The page ${this.page.url()}`, withoutLinks.slice(0, REPORTED_CHARACTERS), ...this.faults].join('\n')
  }

  async leave(): Promise<void> {
    this.#removeReport()
    await this.#context.close()
  }
}

/** Starts Debian's Chromium. */
export function launchBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: ['--no-sandbox'] })
}
