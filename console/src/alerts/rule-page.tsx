import { Link, useParams } from '@tanstack/react-router'
import { type AlertRuleQuery, AlertRuleDocument } from '../api/generated/AlertRule.js'
import { useRequest } from '../api/use-request.js'
import { Page } from '../app/page.js'
import { visibleText } from '../format/visible-text.js'
import { Instant } from '../ui/instant.js'
import layout from '../ui/page-layout.module.css'
import { Empty, Failed, Loading } from '../ui/states.js'
import { pageSearch } from '../url/page-search.js'
import { one } from '../url/search-codec.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { AlertStateMark } from './alert-state.js'
import { formatValue } from './format-value.js'
import { LabelList } from './label-list.js'
import styles from './page.module.css'
import { RuleActions } from './rule-actions.js'
import { draftOf, isEditable, newDraft } from './rule-draft.js'
import { RuleEditor } from './rule-editor.js'

type Rule = NonNullable<AlertRuleQuery['alertRule']>

/** An alert that begins to fire is seen within this time. */
const REFRESH_MS = 10_000

/** `/n/{namespace}/alerts/{id}`: one rule, its alerts and its history; `new` is a rule that is not stored yet. */
export function AlertRulePage(): React.JSX.Element {
  const id = useParams({ strict: false, select: params => (params as { id?: string }).id ?? '' })
  return id === 'new' ? <NewRule /> : <StoredRule key={id} id={id} />
}

function NewRule(): React.JSX.Element {
  const { search } = useAddress()
  return (
    <Page title="New rule" hasWindow={false}>
      <div className={layout.panels}>
        <section className={layout.box} aria-label="Rule">
          <RuleEditor initial={newDraft(one(search, 'e'), one(search, 'q'))} stored={null} />
        </section>
      </div>
    </Page>
  )
}

function StoredRule({ id }: { readonly id: string }): React.JSX.Element {
  const namespace = useNamespace()
  const { data, error, refetch } = useRequest(AlertRuleDocument, { id }, { namespace, refreshMs: REFRESH_MS })
  const rule = data?.alertRule ?? null
  return (
    <Page title={rule ? visibleText(rule.alert ?? 'Recording rule') : 'Alert rule'} hasWindow={false}>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading what="the rule" />}
      {data && rule === null && (
        <Empty title="No rule of this namespace has this id">
          <p>It was deleted, or it belongs to another namespace.</p>
        </Empty>
      )}
      {rule && <Loaded rule={rule} />}
    </Page>
  )
}

function Loaded({ rule }: { readonly rule: Rule }): React.JSX.Element {
  return (
    <div className={layout.panels}>
      <section className={layout.box} aria-label="State">
        <Facts rule={rule} />
        {rule.lastError && (
          <p role="alert" className={styles.error}>
            {visibleText(rule.lastError)}
          </p>
        )}
      </section>
      <section className={layout.box} aria-label="Rule">
        {rule.group.slo !== null ? (
          <ProducedBy slo={rule.group.slo} expr={rule.expr} />
        ) : isEditable(rule) ? (
          // A version that someone else saved replaces what is shown, and what was typed meanwhile is refused by its number.
          <RuleEditor key={rule.version} initial={draftOf(rule)} stored={rule} />
        ) : (
          <p className={layout.note}>
            {rule.alert === null
              ? 'Recording rules are edited through the API.'
              : 'The condition of this rule is edited through the API.'}
          </p>
        )}
      </section>
      <section className={layout.box} aria-label="Alerts">
        <Instances instances={rule.instances} />
      </section>
      <section className={layout.box} aria-label="History">
        <RuleHistory rule={rule} />
      </section>
    </div>
  )
}

function ProducedBy(props: { readonly slo: NonNullable<Rule['group']['slo']>; readonly expr: string | null }): React.JSX.Element {
  const namespace = useNamespace()
  const { search } = useAddress()
  return (
    <>
      <p className={layout.note}>
        The SLO{' '}
        <Link to="/n/$namespace/alerts" params={{ namespace }} search={pageSearch(search, { view: 'slos', sel: props.slo.id })}>
          {visibleText(props.slo.name)}
        </Link>{' '}
        manages this rule; change it there.
      </p>
      <pre className={styles.expression}>{visibleText(props.expr ?? '')}</pre>
    </>
  )
}

function Facts({ rule }: { readonly rule: Rule }): React.JSX.Element {
  return (
    <div className={styles.facts}>
      {rule.enabled ? <AlertStateMark state={rule.state} /> : <span className={styles.muted}>off</span>}
      {rule.stateSince && (
        <span>
          since <Instant value={rule.stateSince} />
        </span>
      )}
      <span>
        {rule.lastEvaluatedAt ? (
          <>
            last evaluated <Instant value={rule.lastEvaluatedAt} />
          </>
        ) : (
          'not evaluated yet'
        )}
      </span>
      <span>
        every {rule.group.interval} in group {visibleText(rule.group.name)}
      </span>
      <span>version {rule.version}</span>
      {rule.group.slo === null && <RuleActions rule={rule} />}
    </div>
  )
}

function Instances({ instances }: { readonly instances: Rule['instances'] }): React.JSX.Element {
  if (instances.length === 0) return <p className={layout.note}>No alert is pending or firing.</p>
  return (
    <table className={styles.table}>
      <caption>Alerts</caption>
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col">Labels</th>
          <th scope="col">Value</th>
          <th scope="col">Active since</th>
          <th scope="col">Firing since</th>
          <th scope="col">Resolved</th>
        </tr>
      </thead>
      <tbody>
        {instances.map(({ fingerprint, state, labels, value, activeAt, firedAt, resolvedAt }) => (
          <tr key={fingerprint}>
            <td>
              <AlertStateMark state={state} />
            </td>
            <td>
              <LabelList labels={labels} />
            </td>
            <td>{formatValue(value)}</td>
            <td>{activeAt ? <Instant value={activeAt} /> : '–'}</td>
            <td>{firedAt ? <Instant value={firedAt} /> : '–'}</td>
            <td>{resolvedAt ? <Instant value={resolvedAt} /> : '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function RuleHistory({ rule }: { readonly rule: Rule }): React.JSX.Element {
  const { nodes, pageInfo } = rule.history
  if (nodes.length === 0) return <p className={layout.note}>No alert of this rule has changed its state yet.</p>
  return (
    <table className={styles.table}>
      <caption>{pageInfo.hasNextPage ? `Latest ${nodes.length} changes of state` : 'Changes of state'}</caption>
      <thead>
        <tr>
          <th scope="col">At</th>
          <th scope="col">From</th>
          <th scope="col">To</th>
          <th scope="col">Value</th>
          <th scope="col">Labels</th>
        </tr>
      </thead>
      <tbody>
        {nodes.map(({ id, at, from, to, late, value, labels }) => (
          <tr key={id}>
            <td>
              <Instant value={at} />
              {late && <span className={styles.muted}> late</span>}
            </td>
            <td>
              <AlertStateMark state={from} />
            </td>
            <td>
              <AlertStateMark state={to} />
            </td>
            <td>{formatValue(value)}</td>
            <td>
              <LabelList labels={labels} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
