import { useSyncExternalStore } from 'react'
import { useSession, useSessionState } from '../session/context.js'
import { Menu, MenuChoices, MenuItem, MenuLabel, MenuSeparator } from '../ui/menu.js'
import { type ThemeChoice, useTheme } from './theme.js'

const THEMES: readonly (readonly [ThemeChoice, string])[] = [
  ['light', 'Light'],
  ['dark', 'Dark'],
  ['system', 'System']
]

/** Theme and sign-out. */
export function AccountMenu(): React.JSX.Element {
  const session = useSession()
  const state = useSessionState()
  const theme = useTheme()
  const choice = useSyncExternalStore(theme.subscribe, theme.choice)
  const email = 'user' in state ? state.user.email : ''
  return (
    <Menu label="Account">
      <MenuChoices label="Theme" value={choice} values={THEMES} onChoose={value => theme.choose(value as ThemeChoice)} />
      <MenuSeparator />
      <MenuLabel>{email}</MenuLabel>
      <MenuItem onSelect={() => void session.signOut()}>Sign out</MenuItem>
    </Menu>
  )
}
