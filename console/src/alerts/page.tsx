import { useMemo } from 'react'
import { Page } from '../app/page.js'
import { Tabs } from '../ui/tabs.js'
import { one } from '../url/search-codec.js'
import { useAddress } from '../url/use-address.js'
import { usePageWindow } from '../url/use-window.js'
import { Channels } from './channels.js'
import { History } from './history.js'
import styles from './page.module.css'
import { Routes } from './routes.js'
import { Rules } from './rules.js'
import { Silences } from './silences.js'
import { Slos } from './slos.js'

const VIEWS = [
  { value: 'rules', name: 'Rules', Content: Rules },
  { value: 'slos', name: 'SLOs', Content: Slos },
  { value: 'history', name: 'History', Content: History },
  { value: 'silences', name: 'Silences', Content: Silences },
  { value: 'routes', name: 'Routes', Content: Routes },
  { value: 'channels', name: 'Channels', Content: Channels }
] as const

/** `/n/{namespace}/alerts`: rules by their state, past alerts, silences, and who is notified. */
export function AlertsPage(): React.JSX.Element {
  const { search, change } = useAddress()
  const { problems } = usePageWindow()
  const requested = one(search, 'view')
  const view = VIEWS.find(({ value }) => value === requested) ?? VIEWS[0]
  const refused = useMemo(
    () => (requested !== null && view.value !== requested ? [{ key: 'view', value: requested, instead: 'the rules' }] : []),
    [requested, view]
  )
  return (
    <Page title="Alerts" hasWindow={view.value === 'history'} problems={[...problems, ...refused]}>
      <div className={styles.page}>
        <Tabs
          label="View"
          value={view.value}
          tabs={VIEWS}
          onChoose={value => change({ view: value === 'rules' ? null : value, sel: null })}
        >
          <view.Content />
        </Tabs>
      </div>
    </Page>
  )
}
