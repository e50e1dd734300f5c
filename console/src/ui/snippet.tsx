import { CopyButton } from './copy-button.js'
import styles from './snippet.module.css'

/** Lines to copy, for example a command or a configuration. */
export function Snippet({ title, text }: { readonly title: string; readonly text: string }): React.JSX.Element {
  return (
    <section aria-label={title}>
      <div className={styles.head}>
        <h3>{title}</h3>
        <CopyButton value={text} what={title} />
      </div>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long lines scroll, also by keyboard */}
      <pre className={styles.text} tabIndex={0} aria-label={title}>
        {text}
      </pre>
    </section>
  )
}
