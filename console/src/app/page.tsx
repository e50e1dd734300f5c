import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { useRouterState } from '@tanstack/react-router'
import { loadCode } from './load-code.js'
import { AccountMenu } from './account-menu.js'
import { CopyLink } from './copy-link.js'
import styles from './frame.module.css'
import { OpenedView } from './opened-view.js'
import { NamespaceSwitch } from './namespace-switch.js'
import { TimeRange } from './time-range.js'
import { sharedProblems } from '../url/shared-problems.js'
import type { AddressProblem } from '../url/time-window.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { visibleText } from '../format/visible-text.js'
import { RefreshButton } from './refresh-button.js'

const SavedViews = lazy(() => loadCode(async () => ({ default: (await import('./saved-views.js')).SavedViews })))

/** What every page has: its title, its tools in the header, and its content. */
export interface PageProps {
  readonly title: string
  /** The query box of lists. */
  readonly tools?: ReactNode
  /** False for pages whose content does not depend on a window. */
  readonly hasWindow?: boolean
  /** Values of the address that the page could not use. */
  readonly problems?: readonly AddressProblem[]
  readonly children: ReactNode
}

/** Header and content of a page. */
export function Page({ title, tools, hasWindow = true, problems = [], children }: PageProps): React.JSX.Element {
  const { search } = useAddress()
  const namespace = visibleText(useNamespace())
  const all = [...sharedProblems(search), ...problems]
  const heading = useRef<HTMLHeadingElement>(null)
  const path = useRouterState({ select: state => state.location.pathname })
  const firstPath = useRef(path)
  useEffect(() => {
    document.title = `${title} · ${namespace} · Alidade`
    // After a navigation, assistive technology starts at the heading of the new page.
    if (firstPath.current !== path) heading.current?.focus()
    firstPath.current = path
  }, [title, namespace, path])
  return (
    <div className={styles.content}>
      <header className={styles.header}>
        <NamespaceSwitch />
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <div className={styles.tools}>{tools}</div>
        {hasWindow && <TimeRange />}
        <RefreshButton hasInterval={hasWindow} />
        <Suspense>
          <SavedViews />
        </Suspense>
        <CopyLink />
        <AccountMenu />
      </header>
      <main id="content" className={styles.main}>
        {all.length > 0 && <Problems problems={all} />}
        <div className={styles.view}>
          <OpenedView>{children}</OpenedView>
        </div>
      </main>
    </div>
  )
}

function Problems({ problems }: { readonly problems: readonly AddressProblem[] }): React.JSX.Element {
  return (
    <div role="status">
      <ul className={styles.problems}>
        {problems.map(({ key, value, instead }) => (
          <li key={key}>
            The address has <code>{`${key}=${value.slice(0, 100)}`}</code>, which is not valid; the page shows {instead}.
          </li>
        ))}
      </ul>
    </div>
  )
}
