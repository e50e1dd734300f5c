import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type AlertRulesQuery, AlertRulesDocument, type AlertState } from '../api/generated/AlertRules.js'
import { useRequest } from '../api/use-request.js'
import { useInstantFormat } from '../app/use-instant-format.js'
import { plural } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { timeColumn } from '../tables/time-column.js'
import { SizedGrid } from '../tables/sized-grid.js'
import type { Column } from '../tables/virtual-grid.js'
import { Button, buttonClass } from '../ui/button.js'
import { Instant } from '../ui/instant.js'
import { ResultView } from '../ui/result-view.js'
import { Empty } from '../ui/states.js'
import { pageSearch } from '../url/page-search.js'
import { all } from '../url/search-codec.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { ALERT_STATES, AlertStateMark } from './alert-state.js'
import styles from './page.module.css'

type Rule = NonNullable<AlertRulesQuery['alertRules']>[number]

/** The gravest first, as the grid sorts them. */
const STATES = Object.keys(ALERT_STATES) as AlertState[]
/** A rule that begins to fire is seen within this time. */
const REFRESH_MS = 10_000

const countOf = ({ instances }: Rule, state: AlertState): number => instances.filter(one => one.state === state).length

function columnsOf(zone: string): readonly Column<Rule>[] {
  return [
    {
      key: 'state',
      header: 'State',
      width: '84px',
      sorted: 'descending',
      render: ({ state, enabled }) => (enabled ? <AlertStateMark state={state} /> : <span className={styles.muted}>off</span>)
    },
    {
      key: 'name',
      header: 'Rule',
      width: 'minmax(200px, 1fr)',
      render: ({ alert, record }) => visibleText(alert ?? record ?? '')
    },
    { key: 'severity', header: 'Severity', width: '84px', render: ({ severity }) => severity?.toLowerCase() ?? '' },
    { key: 'firing', header: 'Firing', width: '72px', isNumeric: true, render: rule => countOf(rule, 'FIRING') },
    { key: 'pending', header: 'Pending', width: '80px', isNumeric: true, render: rule => countOf(rule, 'PENDING') },
    {
      key: 'since',
      ...timeColumn('Since', zone),
      render: ({ stateSince }) => (stateSince ? <Instant value={stateSince} /> : '–')
    },
    { key: 'group', header: 'Group', width: '140px', render: ({ group }) => visibleText(group.name) },
    {
      key: 'error',
      header: 'Last error',
      width: 'minmax(140px, 1fr)',
      render: ({ lastError }) => visibleText(lastError ?? '')
    }
  ]
}

/** Rules of the namespace by state, the gravest first; a row opens its rule. */
export function Rules(): React.JSX.Element {
  const namespace = useNamespace()
  const { search } = useAddress()
  const result = useRequest(AlertRulesDocument, {}, { namespace, refreshMs: REFRESH_MS })
  return (
    <section className={styles.section} aria-label="Rules" aria-busy={result.isFetching}>
      <div className={styles.head}>
        <StateFilter />
        <Link
          to="/n/$namespace/alerts/$id"
          params={{ namespace, id: 'new' }}
          search={pageSearch(search)}
          role="button"
          className={buttonClass('primary')}
        >
          New rule
        </Link>
      </div>
      <ResultView result={result} what="rules">
        {({ alertRules }) => <Loaded rules={alertRules ?? []} />}
      </ResultView>
    </section>
  )
}

function Loaded({ rules }: { readonly rules: readonly Rule[] }): React.JSX.Element {
  const namespace = useNamespace()
  const navigate = useNavigate()
  const { search, change } = useAddress()
  const { zoneName } = useInstantFormat()
  const columns = useMemo(() => columnsOf(zoneName), [zoneName])
  const chosen = new Set(all(search, 'status').map(value => value.toUpperCase()))
  const shown = rules
    .filter(({ state, enabled }) => chosen.size === 0 || (enabled && chosen.has(state)))
    .toSorted((one, other) => STATES.indexOf(one.state) - STATES.indexOf(other.state))
  if (rules.length === 0)
    return (
      <Empty title="No rules yet">
        <p>A rule is evaluated at regular times over logs, traces or metrics, and notifies when its condition is met.</p>
      </Empty>
    )
  if (shown.length === 0)
    return (
      <Empty title="No rule is in this state">
        <Button onClick={() => change({ status: null })}>Show all {plural(rules.length, 'rule')}</Button>
      </Empty>
    )
  return (
    <SizedGrid
      label="Alert rules"
      columns={columns}
      rows={shown}
      total={shown.length}
      rowKey={({ id }) => id}
      selectedKey={null}
      onOpen={({ id }) =>
        void navigate({ to: '/n/$namespace/alerts/$id', params: { namespace, id }, search: pageSearch(search) })
      }
    />
  )
}

/** One button for each state; several can be chosen, none means all. */
function StateFilter(): React.JSX.Element {
  const { search, change } = useAddress()
  const chosen = new Set(all(search, 'status').map(value => value.toUpperCase()))
  return (
    <div className={styles.states} role="group" aria-label="State">
      {STATES.map(state => (
        <Button
          key={state}
          aria-pressed={chosen.has(state)}
          title={ALERT_STATES[state]}
          onClick={() => {
            const next = STATES.filter(one => (one === state ? !chosen.has(one) : chosen.has(one)))
            change({ status: next.map(one => one.toLowerCase()) })
          }}
        >
          {state === 'NODATA' ? 'no data' : state.toLowerCase()}
        </Button>
      ))}
    </div>
  )
}
