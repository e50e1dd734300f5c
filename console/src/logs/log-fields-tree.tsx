import type { KeyboardEvent } from 'react'
import type { LogDetailQuery } from '../api/generated/LogDetail.js'
import { areSingleKeysOn } from '../app/use-shortcuts.js'
import { visibleBlock, visibleText } from '../format/visible-text.js'
import { withCondition } from '../query/with-condition.js'
import { Button } from '../ui/button.js'
import { CopyButton } from '../ui/copy-button.js'
import { one } from '../url/search-codec.js'
import { useAddress } from '../url/use-address.js'
import { columnKeys } from './columns.js'
import styles from './log-detail.module.css'
import { type RecordField, recordFields, valueText } from './record-fields.js'

type Log = NonNullable<LogDetailQuery['log']>

/** What the buttons of a field do, and the keys `f` and `x` while one of them has the focus. */
function useFieldActions(): {
  readonly filter: (field: RecordField, isExcluded: boolean) => void
  readonly addColumn: (path: string) => void
  readonly hasColumn: (path: string) => boolean
} {
  const { search, change } = useAddress()
  const columns = columnKeys(one(search, 'cols'))
  const keyOf = (path: string): string => path.replace(/^(?:log_fields|tags)\./, '')
  return {
    filter: ({ path, value }, isExcluded) =>
      change({ q: withCondition(one(search, 'q') ?? '', path, valueText(value), isExcluded) }),
    addColumn: path => change({ cols: [...columns, keyOf(path)].join(',') }, { replace: true }),
    hasColumn: path => columns.includes(keyOf(path))
  }
}

/** All fields of a record, each with a filter and a column, and the record as JSON. */
export function LogFields({ log }: { readonly log: Log }): React.JSX.Element {
  const { surrounding: _surrounding, trace: _trace, span: _span, ...record } = log
  const json = JSON.stringify(record, null, 2)
  return (
    <section aria-label="Fields of the record">
      <h3>Fields</h3>
      <ul role="tree" aria-label="Fields" className={styles.fields}>
        {recordFields(log).map(field => (
          <Field key={field.path} field={field} />
        ))}
      </ul>
      <details className={styles.line}>
        <summary>JSON</summary>
        <CopyButton value={json} what="as JSON" />
        {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long lines scroll, also by keyboard */}
        <pre tabIndex={0} className={styles.json}>
          {visibleBlock(json)}
        </pre>
      </details>
    </section>
  )
}

function Field({ field }: { readonly field: RecordField }): React.JSX.Element {
  const { filter, addColumn, hasColumn } = useFieldActions()
  const { path, value } = field
  const shown = visibleText(valueText(value))
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!areSingleKeysOn() || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key !== 'f' && event.key !== 'x') return
    event.preventDefault()
    filter(field, event.key === 'x')
  }
  return (
    <li role="treeitem" className={styles.field} onKeyDown={onKeyDown}>
      <span className={styles.path}>{visibleText(path)}</span>
      <span className={styles.value}>{shown}</span>
      <span className={styles.actions}>
        <Button
          kind="icon"
          aria-label={`Filter for ${path} ${shown}`}
          title="Filter for this value"
          onClick={() => filter(field, false)}
        >
          ⊕
        </Button>
        <Button
          kind="icon"
          aria-label={`Filter out ${path} ${shown}`}
          title="Filter out this value"
          onClick={() => filter(field, true)}
        >
          ⊖
        </Button>
        <Button
          kind="icon"
          aria-label={`Add column ${path}`}
          title="Add a column"
          disabled={hasColumn(path)}
          onClick={() => addColumn(path)}
        >
          ▥
        </Button>
      </span>
    </li>
  )
}
