import styles from './level-mark.module.css'

/** A level by its word, with a square of its colour. */
export function LevelMark({ level }: { readonly level: string }): React.JSX.Element {
  const name = level.toLowerCase()
  return (
    <span className={styles.level} style={{ '--level': `var(--level-${name})` } as React.CSSProperties}>
      {name}
    </span>
  )
}
