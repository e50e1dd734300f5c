import { useState } from 'react'
import { Button } from './button.js'
import { copyText } from './copy-text.js'

/** Copies a value to the clipboard and reports it. `what` completes the accessible name when several are on a page. */
export function CopyButton({ value, what }: { readonly value: string; readonly what?: string }): React.JSX.Element {
  const [state, setState] = useState<'ready' | 'copied' | 'refused'>('ready')
  const copy = async (): Promise<void> => {
    setState((await copyText(value)) ? 'copied' : 'refused')
  }
  return (
    <>
      <Button aria-label={what === undefined ? 'Copy' : `Copy ${what}`} onClick={() => void copy()}>
        Copy
      </Button>
      <span role="status">
        {state === 'copied' ? 'Copied' : state === 'refused' ? 'The browser refused to copy; select the text instead' : ''}
      </span>
    </>
  )
}
