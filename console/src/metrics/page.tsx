import { Page } from '../app/page.js'
import { AlertLink } from '../ui/alert-link.js'
import { CompareSelect } from '../ui/compare-select.js'
import { all, one } from '../url/search-codec.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import type { AddressProblem } from '../url/time-window.js'
import { useComparison } from '../url/use-comparison.js'
import { usePageWindow } from '../url/use-window.js'
import { buttonClass } from '../ui/button.js'
import { Cardinality } from './cardinality.js'
import { Chart } from './chart.js'
import { Editors } from './editors.js'
import { Exemplars } from './exemplars.js'
import { Finder } from './finder.js'
import { NoSeries } from './no-series.js'
import styles from './page.module.css'
import { STEPS, StepSelect } from './step-select.js'
import { usePromql } from './use-promql.js'

/** More would be refused as too costly, and could not be distinguished. */
const MAX_EXPRESSIONS = 8

/** `/n/{namespace}/metrics`: names, PromQL, chart and table; series per metric and label. */
export function MetricsPage(): React.JSX.Element {
  const { search, change } = useAddress()
  const { problems } = usePageWindow()
  const compared = useComparison()
  const requestedStep = one(search, 'step')
  const step = requestedStep !== null && STEPS.includes(requestedStep) ? requestedStep : null
  const requestedView = one(search, 'view')
  const view = requestedView === 'cardinality' ? 'cardinality' : 'chart'
  const refused: AddressProblem[] = [
    ...(requestedStep !== null && step === null ? [{ key: 'step', value: requestedStep, instead: 'an automatic step' }] : []),
    ...(requestedView !== null && requestedView !== view ? [{ key: 'view', value: requestedView, instead: 'the chart' }] : [])
  ]
  return (
    <Page title="Metrics" problems={[...problems, ...refused, ...compared.problems]}>
      <div className={styles.layout}>
        <Finder />
        <div className={styles.content}>
          <div className={styles.bar} role="group" aria-label="View">
            {(['chart', 'cardinality'] as const).map(name => (
              <button
                key={name}
                type="button"
                className={buttonClass()}
                aria-pressed={view === name}
                onClick={() => change({ view: name === 'chart' ? null : name })}
              >
                {name === 'chart' ? 'Chart' : 'Cardinality'}
              </button>
            ))}
          </div>
          {view === 'cardinality' ? <Cardinality /> : <Explorer step={step} />}
        </div>
      </div>
    </Page>
  )
}

function Explorer({ step }: { readonly step: string | null }): React.JSX.Element {
  const namespace = useNamespace()
  const { search } = useAddress()
  const { window } = usePageWindow()
  const expressions = all(search, 'e').slice(0, MAX_EXPRESSIONS)
  const { comparison } = useComparison()
  const results = usePromql(expressions, { namespace, window, step })
  const range = comparison?.window ?? window
  const before = usePromql(comparison ? expressions : [], { namespace, window: range, step })
  return (
    <>
      <Editors expressions={expressions} results={results} most={MAX_EXPRESSIONS}>
        <StepSelect step={step} />
        <CompareSelect />
        {expressions.length > 0 && <AlertLink condition={{ e: expressions[0]!, q: null }} />}
      </Editors>
      {expressions.length === 0 ? (
        <NoSeries title="No expression yet">
          <p>Choose a metric from the list, or write PromQL and press Run.</p>
        </NoSeries>
      ) : (
        <>
          <Chart expressions={expressions} results={results} before={before} window={window} step={step} />
          <Exemplars expressions={expressions} />
        </>
      )}
    </>
  )
}
