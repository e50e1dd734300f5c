import type { Locator, Page } from 'playwright-core'

/** How a person uses the page: the same steps by the keyboard alone, or with the mouse. */
export interface Hands {
  /** Presses a button, opens a link. */
  readonly activate: (target: Locator) => Promise<void>
  /** Replaces the text of a field. */
  readonly write: (field: Locator, text: string) => Promise<void>
  /** Chooses an option of a native list by its name. */
  readonly choose: (list: Locator, name: string) => Promise<void>
  /** Opens a row of a grid that has one tab stop. */
  readonly openRow: (grid: Locator, name: RegExp) => Promise<void>
  /** Opens a menu and chooses an item. */
  readonly chooseItem: (button: Locator, item: Locator) => Promise<void>
}

/** More elements than any page of the console has in its tab order. */
const MAX_STEPS = 400

/** A person with a mouse. */
export function mouse(): Hands {
  return {
    activate: target => target.click(),
    write: (field, text) => field.fill(text),
    async choose(list, name) {
      await list.selectOption(name)
    },
    // Cells further right have links of their own.
    openRow: (grid, name) => grid.getByRole('row', { name }).first().getByRole('gridcell').first().click(),
    async chooseItem(button, item) {
      await button.click()
      await item.click()
    }
  }
}

/** A person who has only a keyboard. Fails when the target is not in the tab order. */
export function keyboard(page: Page): Hands {
  const hasFocus = (target: Locator): Promise<boolean> =>
    target.evaluate(element => element === element.ownerDocument.activeElement)
  const reach = async (target: Locator): Promise<void> => {
    await target.waitFor()
    for (let step = 0; step < MAX_STEPS; step++) {
      if (await hasFocus(target)) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`the Tab key does not reach ${String(target)}`)
  }
  return {
    async activate(target) {
      await reach(target)
      await page.keyboard.press('Enter')
    },
    async write(field, text) {
      await reach(field)
      await page.keyboard.press('Control+a')
      await page.keyboard.type(text)
    },
    async choose(list, name) {
      await reach(list)
      // Letters and spaces would depend on how fast they come; the arrow keys choose one by one.
      await page.keyboard.press('Home')
      for (let step = 0; step < MAX_STEPS; step++) {
        const chosen = await list.locator('option:checked').textContent()
        if (chosen === name) return
        await page.keyboard.press('ArrowDown')
      }
      throw new Error(`no option of the list has the name ${name}`)
    },
    async openRow(grid, name) {
      await reach(grid)
      let before: string | null = null
      for (let step = 0; step < MAX_STEPS; step++) {
        const { id, text } = await grid.evaluate(element => {
          const active = element.getAttribute('aria-activedescendant') ?? ''
          return { id: active, text: element.ownerDocument.getElementById(active)?.textContent ?? '' }
        })
        if (name.test(text)) return page.keyboard.press('Enter')
        // At the last row: the rows can have come in another order meanwhile.
        await page.keyboard.press(id === before ? 'Home' : 'ArrowDown')
        before = id
      }
      throw new Error(`no row of the grid has ${String(name)}`)
    },
    async chooseItem(button, item) {
      await reach(button)
      await page.keyboard.press('Enter')
      await item.waitFor()
      for (let step = 0; step < MAX_STEPS && !(await hasFocus(item)); step++) await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
    }
  }
}
