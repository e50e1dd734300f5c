import type { ComponentProps } from 'react'
import styles from './button.module.css'

/** Appearance of a button: framed, the main action of a form, without a frame, or a single character. */
export type ButtonKind = 'framed' | 'primary' | 'plain' | 'icon'

/** Class names of a button, for links and menu triggers that look like one. */
export function buttonClass(kind: ButtonKind = 'framed'): string {
  return kind === 'framed' ? styles.button! : `${styles.button} ${styles[kind]}`
}

/** A button that submits nothing unless `type` is `submit`. */
export function Button({ kind, ...props }: ComponentProps<'button'> & { readonly kind?: ButtonKind }): React.JSX.Element {
  return <button type="button" {...props} className={buttonClass(kind)} />
}
