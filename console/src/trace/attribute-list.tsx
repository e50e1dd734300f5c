import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatCount } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { Button } from '../ui/button.js'
import type { SearchValues } from '../url/search-codec.js'
import { useNamespace } from '../url/use-address.js'
import { attributeQuery } from './links.js'
import styles from './span-detail.module.css'

/** More attributes and longer values are behind a button. */
const SHOWN = 50
const VALUE_CHARACTERS = 1_024

/** Attributes as sent. */
export interface AttributeListProps {
  readonly title: string
  readonly attributes: Readonly<Record<string, unknown>>
  /** Where the search language finds them; absent when they cannot be searched for. */
  readonly prefix?: 'attributes' | 'resource'
  /** The window of the search for a value. */
  readonly window: SearchValues
}

/** Strings as they are, everything else as JSON. */
function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Keys and values; a link searches for other traces with the same value. */
export function AttributeList({ title, attributes, prefix, window }: AttributeListProps): React.JSX.Element | null {
  const [isWhole, setWhole] = useState(false)
  const entries = Object.entries(attributes)
  if (entries.length === 0) return null
  const shown = isWhole ? entries : entries.slice(0, SHOWN)
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <dl className={styles.fields}>
        {shown.map(([key, value]) => (
          <Attribute key={key} name={key} text={valueText(value)} prefix={prefix} window={window} />
        ))}
      </dl>
      {shown.length < entries.length && (
        <p className={styles.line}>
          <Button onClick={() => setWhole(true)}>Show all {formatCount(entries.length)}</Button>
        </p>
      )}
    </section>
  )
}

interface AttributeProps {
  readonly name: string
  readonly text: string
  readonly prefix: AttributeListProps['prefix'] | undefined
  readonly window: SearchValues
}

function Attribute({ name, text, prefix, window }: AttributeProps): React.JSX.Element {
  const namespace = useNamespace()
  const [isWhole, setWhole] = useState(text.length <= VALUE_CHARACTERS)
  return (
    <div className={styles.field}>
      <dt>{visibleText(name)}</dt>
      <dd>
        <span>
          {visibleText(isWhole ? text : text.slice(0, VALUE_CHARACTERS))}
          {!isWhole && <Button onClick={() => setWhole(true)}>Show all</Button>}
        </span>
        {prefix !== undefined && text.length <= VALUE_CHARACTERS && (
          <Link
            className={styles.search}
            to="/n/$namespace/traces"
            params={{ namespace }}
            search={{ ...window, q: attributeQuery(prefix, name, text) }}
            aria-label={`Find traces with ${visibleText(name)} ${visibleText(text)}`}
            title="Find traces with this value"
          >
            ⌕
          </Link>
        )}
      </dd>
    </div>
  )
}
