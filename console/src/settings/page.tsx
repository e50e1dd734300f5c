import { Link, useParams } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { Page } from '../app/page.js'
import { visibleText } from '../format/visible-text.js'
import { Empty } from '../ui/states.js'
import { pageSearch } from '../url/page-search.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { Account } from './account.js'
import { Audit } from './audit.js'
import { General } from './general.js'
import { Keys } from './keys.js'
import { Members } from './members.js'
import styles from './page.module.css'
import { Retention } from './retention.js'
import { SavedMeasures } from './saved-measures.js'
import { Usage } from './usage.js'

const SECTIONS: readonly (readonly [path: string, name: string, content: ComponentType])[] = [
  ['general', 'General', General],
  ['members', 'Members', Members],
  ['keys', 'Keys', Keys],
  ['retention', 'Retention', Retention],
  ['measures', 'Saved measures', SavedMeasures],
  ['usage', 'Usage', Usage],
  ['audit', 'Audit log', Audit],
  ['account', 'Account', Account]
]

/** `/n/{namespace}/settings/{section}`. */
export function SettingsPage(): React.JSX.Element {
  const namespace = useNamespace()
  const { search } = useAddress()
  const section = useParams({ strict: false, select: params => (params as { section?: string }).section ?? '' })
  const Content = SECTIONS.find(([path]) => path === section)?.[2]
  return (
    <Page title="Settings" hasWindow={false}>
      <div className={styles.layout}>
        <nav aria-label="Settings" className={styles.sections}>
          <ul>
            {SECTIONS.map(([path, name]) => (
              <li key={path}>
                <Link
                  to="/n/$namespace/settings/$section"
                  params={{ namespace, section: path }}
                  search={pageSearch(search)}
                  className={styles.link}
                  activeProps={{ 'aria-current': 'page' }}
                >
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className={styles.content}>
          {Content ? (
            <Content />
          ) : (
            <Empty title={`No section “${visibleText(section)}”`}>
              <p>Choose one of the list.</p>
            </Empty>
          )}
        </div>
      </div>
    </Page>
  )
}
