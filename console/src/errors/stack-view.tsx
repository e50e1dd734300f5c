import { useState } from 'react'
import { plural } from '../format/number.js'
import { visibleBlock } from '../format/visible-text.js'
import { Button } from '../ui/button.js'
import { CopyButton } from '../ui/copy-button.js'
import { parseStack, type StackFrame, type StackSection } from './stack.js'
import styles from './page.module.css'

/** A longer trace shows this much and a button. */
const SHOWN_CHARACTERS = 16_384

/** A stack trace: frames of the application first, those of libraries folded; or as sent. */
export function StackView({ text }: { readonly text: string }): React.JSX.Element {
  const sections = parseStack(text)
  const [isAsSent, setAsSent] = useState(false)
  return (
    <div className={styles.stack}>
      <p className={styles.tools}>
        {sections && (
          <Button aria-pressed={isAsSent} onClick={() => setAsSent(!isAsSent)}>
            As sent
          </Button>
        )}
        <CopyButton value={text} what="the stack trace" />
      </p>
      {sections && !isAsSent ? (
        sections.map((section, index) => <Section key={index} section={section} />)
      ) : (
        <AsSent text={text} />
      )}
    </div>
  )
}

function AsSent({ text }: { readonly text: string }): React.JSX.Element {
  const [isWhole, setWhole] = useState(text.length <= SHOWN_CHARACTERS)
  return (
    <>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long lines scroll, also by keyboard */}
      <pre tabIndex={0} aria-label="Stack trace as sent">
        {visibleBlock(isWhole ? text : text.slice(0, SHOWN_CHARACTERS))}
      </pre>
      {!isWhole && <Button onClick={() => setWhole(true)}>Show all ({plural(text.length, 'character')})</Button>}
    </>
  )
}

function Frames({ frames }: { readonly frames: readonly StackFrame[] }): React.JSX.Element {
  return (
    <ol className={styles.frames}>
      {frames.map(({ text }, index) => (
        // eslint-disable-next-line react/no-array-index-key -- a recursive call repeats its frame
        <li key={index}>
          <code>{visibleBlock(text.trim())}</code>
        </li>
      ))}
    </ol>
  )
}

function Section({ section: { head, frames } }: { readonly section: StackSection }): React.JSX.Element {
  const own = frames.filter(({ isOfApplication }) => isOfApplication)
  const foreign = frames.filter(({ isOfApplication }) => !isOfApplication)
  return (
    <>
      <pre className={styles.head}>{visibleBlock(head.slice(0, SHOWN_CHARACTERS))}</pre>
      {own.length > 0 && <Frames frames={own} />}
      {foreign.length > 0 && (
        <details open={own.length === 0}>
          <summary>{plural(foreign.length, 'frame')} of libraries and the runtime</summary>
          <Frames frames={foreign} />
        </details>
      )}
    </>
  )
}
