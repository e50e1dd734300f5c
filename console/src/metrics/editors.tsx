import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { PromqlChartQuery } from '../api/generated/PromqlChart.js'
import { Button } from '../ui/button.js'
import { useAddress } from '../url/use-address.js'
import { ExpressionStatus } from './expression-status.js'
import styles from './page.module.css'
import { PromqlBox } from './promql-box.js'

/** Expressions of the address as they are being edited, each with what became of it. */
export function Editors(props: {
  readonly expressions: readonly string[]
  readonly results: readonly UseQueryResult<PromqlChartQuery>[]
  readonly most: number
  readonly children: ReactNode
}): React.JSX.Element {
  const { expressions, results, most, children } = props
  const { change } = useAddress()
  const initial = expressions.length === 0 ? [''] : expressions
  const [drafts, setDrafts] = useState<readonly string[]>(initial)
  const address = expressions.join('\n')
  const [known, setKnown] = useState(address)
  if (known !== address) {
    // Back, Forward and the list of metrics change the address without typing.
    setKnown(address)
    setDrafts(initial)
  }
  const edit = (index: number, text: string): void => setDrafts(drafts.map((draft, at) => (at === index ? text : draft)))
  const run = (expressions: readonly string[]): void =>
    change({ e: expressions.map(expression => expression.trim()).filter(Boolean) })
  const remove = (index: number): void => {
    const rest = drafts.filter((_, at) => at !== index)
    setDrafts(rest)
    run(rest)
  }
  return (
    <section aria-label="Expressions" className={styles.editors}>
      {drafts.map((draft, index) => (
        // Drafts have no identity but their place.
        // eslint-disable-next-line react/no-array-index-key
        <div key={index}>
          <div className={styles.editor}>
            <PromqlBox
              label={index === 0 ? 'PromQL' : `PromQL ${index + 1}`}
              value={draft}
              isRefused={results[index]?.isError ?? false}
              onChange={text => edit(index, text)}
              onRun={() => run(drafts)}
            />
            {index === 0 && (
              // Next to the box: suggestions below it must not cover the button.
              <Button kind="primary" onClick={() => run(drafts)}>
                Run
              </Button>
            )}
            {drafts.length > 1 && (
              <Button kind="icon" aria-label={`Remove expression ${index + 1}`} onClick={() => remove(index)}>
                ✕
              </Button>
            )}
          </div>
          {draft.trim() === expressions[index] && results[index] && (
            <ExpressionStatus expression={draft} result={results[index]} onReplace={text => run(drafts.with(index, text))} />
          )}
        </div>
      ))}
      <div className={styles.bar}>
        <Button disabled={drafts.length >= most} onClick={() => setDrafts([...drafts, ''])}>
          Add expression
        </Button>
        {children}
      </div>
    </section>
  )
}
