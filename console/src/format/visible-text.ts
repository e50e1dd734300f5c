/**
 * Control, bidirectional and invisible characters of hostile text: line feeds and tabs become spaces, all others are
 * shown as their code, so that a record cannot reorder or hide what is next to it.
 */
// eslint-disable-next-line no-control-regex -- control characters are what it looks for
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

function shown(character: string): string {
  if (character === '\n' || character === '\r' || character === '\t') return ' '
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Text for one line of a table. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, shown)
}

/** Text for a block: as `visibleText`, with line feeds and tabs as they are. */
export function visibleBlock(text: string): string {
  return text.replace(HIDDEN, character =>
    character === '\n' || character === '\t' ? character : character === '\r' ? '' : shown(character)
  )
}
