import { createContext, use } from 'react'

/** Themes that a person can choose; `system` follows the operating system. */
export type ThemeChoice = 'light' | 'dark' | 'system'

/** The theme of this browser. */
export interface Theme {
  readonly choice: () => ThemeChoice
  /** Whether the page is dark now. */
  readonly isDark: () => boolean
  readonly choose: (choice: ThemeChoice) => void
  /** Calls `listener` after each change. Returns the function that ends this. */
  readonly subscribe: (listener: () => void) => () => void
}

const KEY = 'alidade.theme'

function isChoice(value: string | null): value is ThemeChoice {
  return value === 'light' || value === 'dark' || value === 'system'
}

/** Applies the stored choice to `root` as `data-theme`, and each later one. */
export function createTheme(root: HTMLElement, storage: Pick<Storage, 'getItem' | 'setItem'>, systemDark: MediaQueryList): Theme {
  const stored = storage.getItem(KEY)
  const listeners = new Set<() => void>()
  let choice: ThemeChoice = isChoice(stored) ? stored : 'system'
  const isDark = (): boolean => (choice === 'system' ? systemDark.matches : choice === 'dark')
  const apply = (): void => {
    root.dataset['theme'] = isDark() ? 'dark' : 'light'
    for (const listener of listeners) listener()
  }
  systemDark.addEventListener('change', apply)
  apply()
  return {
    choice: () => choice,
    isDark,
    choose(next) {
      choice = next
      storage.setItem(KEY, next)
      apply()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
  }
}

/** The theme of this browser. */
export const ThemeContext = createContext<Theme | null>(null)

/** The theme; only below `ThemeContext`. */
export function useTheme(): Theme {
  const theme = use(ThemeContext)
  if (!theme) throw new Error('useTheme requires a ThemeContext')
  return theme
}
