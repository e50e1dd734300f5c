import { expect } from '@jest/globals'
import type { Locator, Page } from 'playwright-core'
import type { Examples } from './examples.js'
import { ResponseGate } from './response-gate.js'
import type { Person } from './story.js'

/** A page of the console, and by what its states are recognized. */
export interface PageStates {
  /** Folder of its pictures. */
  readonly name: string
  /** Address below the namespace. */
  readonly path: string | ((examples: Examples) => string)
  /** What a page without data shows; null where something is always there. */
  readonly empty: ((page: Page) => Locator) | null
  /** What is there when all has arrived. */
  readonly full: (page: Page) => Locator
  /**
   * `cut`: a limit ends the search. `stale`: of results that have no limit, a refresh that fails leaves the last ones.
   */
  readonly partial: 'cut' | 'stale'
  /** Roles and names that the page has when it is full. */
  readonly names: readonly (readonly [role: Parameters<Page['getByRole']>[0], name: string | RegExp])[]
}

const WIDTHS = [1_440, 800]
const THEMES = ['light', 'dark'] as const
const HEIGHT = 900

/** Where a person looks at pages: a namespace with data, and one without. */
export interface Places {
  readonly filled: string
  readonly empty: string
  readonly examples: Examples
}

function pathOf(path: PageStates['path'], { examples }: Places): string {
  return typeof path === 'string' ? path : path(examples)
}

/** Visits pages in their states, in both themes and at both widths. */
export class StateTour {
  readonly #person: Person
  readonly #gate: ResponseGate
  #looks = 0

  private constructor(person: Person, gate: ResponseGate) {
    this.#person = person
    this.#gate = gate
  }

  static async of(person: Person): Promise<StateTour> {
    return new StateTour(person, await ResponseGate.open(person.page))
  }

  /** Loading, error, partial and full with data; empty without. */
  async visit(states: PageStates, places: Places): Promise<void> {
    const { filled, empty } = places
    const { page } = this.#person
    const { name } = states
    const path = pathOf(states.path, places)
    await this.#gate.set('hold')
    await page.goto(`/n/${filled}/${path}`)
    await page
      .getByText(/^Loading /)
      .first()
      .waitFor()
    await this.look(`${name}/loading`)
    await this.#gate.set('fail')
    await page.getByRole('alert').getByRole('button', { name: 'Retry' }).first().waitFor()
    await this.look(`${name}/error`)
    await (states.partial === 'cut' ? this.#cutThenFull(states) : this.#fullThenStale(states))
    if (states.empty === null) return
    await this.#gate.set('pass')
    await page.goto(`/n/${empty}/${path}`)
    await states.empty(page).first().waitFor()
    await this.look(`${name}/empty`)
  }

  /** A view in its full state alone. */
  async view(name: string, path: PageStates['path'], full: PageStates['full'], places: Places): Promise<void> {
    await this.#gate.set('pass')
    await this.#person.page.goto(`/n/${places.filled}/${pathOf(path, places)}`)
    await full(this.#person.page).first().waitFor()
    await this.look(name)
  }

  async #cutThenFull({ name, full, names }: PageStates): Promise<void> {
    const { page } = this.#person
    await this.#gate.set('cut')
    await this.#refresh()
    await page
      .getByText(/Incomplete/)
      .first()
      .waitFor()
    await full(page).first().waitFor()
    await this.#settle()
    await this.look(`${name}/partial`)
    await this.#gate.set('pass')
    await this.#refresh()
    await page
      .getByText(/Incomplete/)
      .first()
      .waitFor({ state: 'detached' })
    await this.#lookAtFull(name, full, names)
  }

  async #fullThenStale({ name, full, names }: PageStates): Promise<void> {
    const { page } = this.#person
    await this.#gate.set('pass')
    await this.#refresh()
    await this.#lookAtFull(name, full, names)
    await this.#gate.set('fail')
    await this.#refresh()
    await page.getByRole('alert').getByRole('button', { name: 'Retry' }).first().waitFor()
    await full(page).first().waitFor()
    await this.look(`${name}/partial`)
  }

  async #lookAtFull(name: string, full: PageStates['full'], names: PageStates['names']): Promise<void> {
    const { page } = this.#person
    await full(page).first().waitFor()
    await this.#settle()
    for (const [role, text] of names)
      await page
        .getByRole(role, { name: text, exact: typeof text === 'string' })
        .first()
        .waitFor()
    await this.look(`${name}/full`)
  }

  /** Until nothing of the page loads any more. */
  async #settle(): Promise<void> {
    const { page } = this.#person
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
    await page
      .getByText(/^Loading /)
      .first()
      .waitFor({ state: 'detached' })
  }

  async #refresh(): Promise<void> {
    await this.#person.page.getByRole('button', { name: 'Refresh', exact: true }).click()
  }

  /** Pictures and overflow in four combinations; axe in one of them, another one each time. */
  async look(name: string): Promise<void> {
    const { page } = this.#person
    const turn = this.#looks++ % (WIDTHS.length * THEMES.length)
    const found: string[] = []
    for (const [column, width] of WIDTHS.entries()) {
      await page.setViewportSize({ width, height: HEIGHT })
      for (const [row, theme] of THEMES.entries()) {
        await page.emulateMedia({ colorScheme: theme })
        await this.#person.picture(`${name}-${theme}-${width}`)
        if (turn !== column * THEMES.length + row) continue
        const findings = await this.#person.inspect()
        found.push(...findings.map(({ rule, targets }) => `${name} ${theme} ${width}: ${rule} ${targets.join(', ')}`))
      }
      const overflow = await page.evaluate<number>(OVERFLOW)
      if (overflow > 0) found.push(`${name} ${width}: ${overflow} px wider than the window`)
      const cut = await page.evaluate<string[]>(CUT_CELLS)
      found.push(...cut.map(text => `${name} ${width}: "${text}" is cut`))
    }
    found.push(...this.#person.faults.splice(0).map(fault => `${name}: ${fault}`))
    expect(found).toEqual([])
  }
}

/** Text of the column headers, times and numbers of a grid that are wider than their column. */
const CUT_CELLS = `[...document.querySelectorAll('[role=columnheader], [role=gridcell]')]
  .filter(cell => cell.matches('[role=columnheader]') || cell.querySelector('time') || getComputedStyle(cell).textAlign === 'right')
  .filter(cell => cell.scrollWidth > cell.clientWidth)
  .map(cell => cell.textContent)`

/** Pixels by which the page, or its content, can be scrolled to the side. */
const OVERFLOW = `Math.max(...[document.documentElement, document.getElementById('content')]
  .filter(element => element !== null)
  .map(element => element.scrollWidth - element.clientWidth))`
