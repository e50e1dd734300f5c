import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useApi } from '../api/context.js'
import { copyText } from '../ui/copy-text.js'
import { Menu, MenuItem } from '../ui/menu.js'
import { RefusedCopy } from '../ui/refused-copy.js'
import { one, stringifySearch, withValues } from '../url/search-codec.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { usePageWindow } from '../url/use-window.js'
import styles from './copy-link.module.css'
import { emptyAfter } from './frozen-link.js'
import { useInstantFormat } from './use-instant-format.js'
import { useShortcuts } from './use-shortcuts.js'
import { useViewer } from './use-viewer.js'

const SHOWN_MS = 8_000
/** Chats and mail programs cut longer links. */
const MAX_LINK_CHARACTERS = 2_000

/** When the window of a frozen link is empty, in words; empty when nothing expires. */
function useExpiryText(): (to: string) => string {
  const namespace = useNamespace()
  const { data } = useViewer(namespace)
  const page = useLocation({ select: ({ pathname }) => /\/n\/[^/]+\/([^/]+)/.exec(pathname)?.[1] ?? '' })
  const format = useInstantFormat()
  return to => {
    const retention = data?.viewer.namespace?.retention
    const expiry = retention ? emptyAfter(page, to, retention) : null
    return expiry === null ? '' : `It is empty after ${format.full(expiry).slice(0, 16)} ${format.zoneName} (retention).`
  }
}

/** Copies the address: live, or with the absolute times that the page shows now. Both name the time zone. */
export function CopyLink(): React.JSX.Element {
  const api = useApi()
  const namespace = useNamespace()
  const { search } = useAddress()
  const { window } = usePageWindow()
  const expiryText = useExpiryText()
  const [copied, setCopied] = useState('')
  const [refused, setRefused] = useState<string | null>(null)
  useEffect(() => {
    if (copied === '') return undefined
    const timer = setTimeout(() => setCopied(''), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async (isFrozen: boolean): Promise<void> => {
    const zone = one(search, 'tz') ?? Intl.DateTimeFormat().resolvedOptions().timeZone
    const values = withValues(search, {
      tz: zone,
      ...(isFrozen ? { from: window.from, to: window.to, refresh: null, live: null } : {})
    })
    const address = new URL(location.href)
    address.search = stringifySearch(values)
    if (address.href.length > MAX_LINK_CHARACTERS) {
      const { shortened } = await import('./short-link.js')
      address.search = stringifySearch(await shortened(api, namespace, address.pathname, values))
    }
    if (!(await copyText(address.href))) setRefused(address.href)
    else setCopied(isFrozen ? `Frozen link copied. ${expiryText(window.to)}` : 'Live link copied.')
  }
  useShortcuts({ c: () => void copy(false) })
  return (
    <span className={styles.place}>
      <Menu label="Copy link">
        <MenuItem onSelect={() => void copy(false)}>Live: the window moves with the clock</MenuItem>
        <MenuItem onSelect={() => void copy(true)}>Frozen: exactly these times</MenuItem>
      </Menu>
      <span className={styles.copied} role="status">
        {copied}
      </span>
      {refused !== null && <RefusedCopy label="Copy link" field="Link" value={refused} onClose={() => setRefused(null)} />}
    </span>
  )
}
