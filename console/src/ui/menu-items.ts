/** Letters that come within this time of each other are the beginning of one name. */
const TYPING_MS = 1_000
const GAP_PX = 4

/** What has been typed, and when the last letter came. */
export interface Typed {
  text: string
  atMs: number
}

/** The items of an open menu, in order. */
export function itemsOf(menu: HTMLElement): readonly HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role^=menuitem]')]
}

/** The item to which a key moves the focus: by arrows, round the ends, or by the first letters. Null for other keys. */
export function itemFor(event: KeyboardEvent, menu: HTMLElement, typed: Typed): HTMLElement | null {
  const items = itemsOf(menu)
  const at = items.findIndex(item => item === menu.ownerDocument.activeElement)
  switch (event.key) {
    case 'ArrowDown':
      return items[(at + 1) % items.length] ?? null
    case 'ArrowUp':
      return items.at(at <= 0 ? -1 : at - 1) ?? null
    case 'Home':
      return items[0] ?? null
    case 'End':
      return items.at(-1) ?? null
    default:
      return isLetter(event) ? named(items, at, withLetter(typed, event)) : null
  }
}

/** Space presses the item in focus. */
function isLetter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey
}

function withLetter(typed: Typed, { key, timeStamp }: KeyboardEvent): string {
  typed.text = (timeStamp - typed.atMs < TYPING_MS ? typed.text : '') + key.toLowerCase()
  typed.atMs = timeStamp
  return typed.text
}

/** The next item whose name begins like this; a single letter also leaves an item that begins with it. */
function named(items: readonly HTMLElement[], at: number, text: string): HTMLElement | null {
  const from = text.length === 1 ? at + 1 : Math.max(at, 0)
  const inOrder = [...items.slice(from), ...items.slice(0, from)]
  return inOrder.find(item => item.textContent.trim().toLowerCase().startsWith(text)) ?? null
}

/** Puts a menu below its button, or above it where there is more room, and inside the window. */
export function placeBelow(button: DOMRect, menu: HTMLElement): void {
  const { innerWidth, innerHeight } = globalThis
  const below = innerHeight - button.bottom - GAP_PX
  const above = button.top - GAP_PX
  const isBelow = menu.scrollHeight <= below || below >= above
  menu.style.maxHeight = `${Math.max(0, isBelow ? below : above) - GAP_PX}px`
  const { width, height } = menu.getBoundingClientRect()
  menu.style.left = `${Math.max(GAP_PX, Math.min(button.left, innerWidth - width - GAP_PX))}px`
  menu.style.top = `${isBelow ? button.bottom + GAP_PX : button.top - GAP_PX - height}px`
}
