import { useMemo, useState } from 'react'
import { SlosDocument, type SlosQuery } from '../api/generated/Slos.js'
import { useRequest } from '../api/use-request.js'
import { RoleButton } from '../app/role-button.js'
import { visibleText } from '../format/visible-text.js'
import { SizedGrid } from '../tables/sized-grid.js'
import type { Column } from '../tables/virtual-grid.js'
import { ResultView } from '../ui/result-view.js'
import { Empty } from '../ui/states.js'
import { one } from '../url/search-codec.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import styles from './page.module.css'
import { DATA_STATES, formatAttained, formatBudget, formatBurn, rateOf } from './slo-budget.js'
import { SloForm } from './slo-form.js'
import { SloPanel } from './slo-panel.js'
import slo from './slos.module.css'

type Slo = NonNullable<SlosQuery['slos']>[number]

/** Recordings are a minute apart. */
const REFRESH_MS = 60_000

const columns: readonly Column<Slo>[] = [
  { key: 'name', header: 'SLO', width: 'minmax(180px, 1fr)', sorted: 'ascending', render: ({ name }) => visibleText(name) },
  { key: 'service', header: 'Service', width: 'minmax(100px, 160px)', render: ({ service }) => visibleText(service) },
  { key: 'objective', header: 'Objective', width: '84px', isNumeric: true, render: ({ objective }) => `${objective} %` },
  {
    key: 'attained',
    header: 'Attained',
    width: '92px',
    isNumeric: true,
    render: ({ report }) => (report?.attained == null ? '–' : formatAttained(report.attained))
  },
  {
    key: 'left',
    header: 'Budget left',
    width: '190px',
    render: ({ report }) => <BudgetLeft left={report?.budgetLeft ?? null} />
  },
  {
    key: 'hour',
    header: 'Burn 1 h',
    width: '80px',
    isNumeric: true,
    render: ({ report }) => formatBurn(report && rateOf(report.burnRates, '1h'))
  },
  {
    key: 'day',
    header: 'Burn 1 d',
    width: '80px',
    isNumeric: true,
    render: ({ report }) => formatBurn(report && rateOf(report.burnRates, '1d'))
  },
  {
    key: 'data',
    header: 'Data',
    width: '96px',
    render: ({ report, enabled }) =>
      enabled ? (
        report && <span title={DATA_STATES[report.state][1]}>{DATA_STATES[report.state][0]}</span>
      ) : (
        <span className={styles.muted}>off</span>
      )
  }
]

/** A bar and the figure of what is left; a dash when nothing is known. */
function BudgetLeft({ left }: { readonly left: number | null }): React.JSX.Element {
  if (left === null) return <span className={styles.muted}>–</span>
  const shown = Math.min(1, Math.max(0, left))
  return (
    <span className={slo.budget} data-state={left <= 0 ? 'spent' : left < 0.25 ? 'low' : 'good'}>
      <span className={slo.track} aria-hidden="true">
        <span className={slo.left} style={{ width: `${shown * 100}%` }} />
      </span>
      {formatBudget(left)}
    </span>
  )
}

/** Service level objectives with what is left of their budgets; a row opens its report. */
export function Slos(): React.JSX.Element {
  const namespace = useNamespace()
  const { search, change } = useAddress()
  const [isNew, setNew] = useState(false)
  const selected = one(search, 'sel')
  const result = useRequest(SlosDocument, {}, { namespace, refreshMs: REFRESH_MS })
  const open = useMemo(
    () =>
      ({ id }: Slo): void =>
        change({ sel: id }),
    [change]
  )
  return (
    <section className={styles.section} aria-label="SLOs" aria-busy={result.isFetching}>
      <div className={styles.head}>
        <p className={styles.muted}>An SLO counts events each minute and alerts when its error budget burns too fast.</p>
        <RoleButton needs="MEMBER" kind="primary" onClick={() => setNew(true)}>
          New SLO
        </RoleButton>
      </div>
      <ResultView result={result} what="SLOs">
        {({ slos }) =>
          slos?.length ? (
            <SizedGrid
              label="SLOs"
              columns={columns}
              rows={slos}
              total={slos.length}
              rowKey={({ id }) => id}
              selectedKey={selected}
              onOpen={open}
            />
          ) : (
            <Empty title="No SLOs yet">
              <p>An SLO states how many of its events a service may lose: 99.9 % of requests without an error in 28 days.</p>
            </Empty>
          )
        }
      </ResultView>
      {selected !== null && <SloPanel key={selected} id={selected} onClose={() => change({ sel: null })} />}
      {isNew && <SloForm edited={null} onClose={() => setNew(false)} />}
    </section>
  )
}
