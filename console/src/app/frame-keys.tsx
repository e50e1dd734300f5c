import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { pageSearch } from '../url/page-search.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { CommandPalette } from './command-palette.js'
import { PAGES } from './pages.js'
import { ShortcutHelp } from './shortcut-help.js'
import { areSingleKeysOn, switchSingleKeys, usePageKeys } from './use-shortcuts.js'

/** Time within which the second key of a pair follows `g`. */
const PAIR_MS = 1_500

/** Keys of the frame: `g` and a letter go to a page, `?` lists all keys, Ctrl+K or Cmd+K opens the command palette. */
export function FrameKeys(): React.JSX.Element | null {
  const namespace = useNamespace()
  const { search } = useAddress()
  const navigate = useNavigate()
  const [open, setOpen] = useState<'help' | 'palette' | null>(null)
  const [isOn, setOn] = useState(areSingleKeysOn)
  const pairUntilMs = useRef(0)
  usePageKeys(key => {
    const page = Date.now() < pairUntilMs.current ? PAGES.find(([, , letter]) => letter === key) : undefined
    pairUntilMs.current = key === 'g' ? Date.now() + PAIR_MS : 0
    if (page) void navigate({ to: page[1], params: { namespace }, search: pageSearch(search) })
    else if (key === '?') setOpen('help')
    else return key === 'g'
    return true
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setOpen('palette')
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  const close = (): void => setOpen(null)
  if (open === 'palette') return <CommandPalette onClose={close} />
  if (open === null) return null
  return (
    <ShortcutHelp
      isOn={isOn}
      onSwitch={next => {
        switchSingleKeys(next)
        setOn(next)
      }}
      onClose={close}
    />
  )
}
