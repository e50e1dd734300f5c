/** A word with a private meaning, and what the field writes instead. */
interface WordRule {
  readonly word: RegExp
  readonly instead: string
}

/** Words to avoid. docs/glossary.md has the words to use. */
const RULES: readonly WordRule[] = [
  { word: /hopeful/i, instead: 'candidate, pruned' },
  { word: /patience/i, instead: 'retry budget' },
  { word: /goodbye/i, instead: 'graceful close' },
  { word: /witness/i, instead: 'observer, callbacks' },
  { word: /surroundings/i, instead: 'context, dependencies' },
  { word: /\breckon/i, instead: 'compute' },
  { word: /\bblame/i, instead: 'offender, cause' },
  { word: /\bunder way\b|underWay/, instead: 'in flight, in progress' },
  { word: /\bin work\b/i, instead: 'in flight, queued' },
  { word: /\bletter case\b/i, instead: 'case-insensitive, case-sensitive' },
  { word: /(?<!-)\banew\b/i, instead: 'again, rewritten' },
  { word: /\b(?:hold|holds|held) (?:\w+ )?up\b/i, instead: 'delay, block' },
  { word: /\bstands still\b/i, instead: 'stalls' },
  { word: /\bendpoints? \d+\b(?!\.)|\bspec \d\.\d/i, instead: 'the route, or the name of the rule' },
  { word: /\btexts\b/i, instead: 'strings, values' },
  { word: /\banswer(?:s|ed|ing)?\b/i, instead: 'response, result, return' },
  { word: /\bask(?:s|ed|ing)?\b/i, instead: 'request, query, call' },
  { word: /\bquestions?\b/i, instead: 'query, request' },
  { word: /\bbeside\b/i, instead: 'next to, with, in addition to' },
  { word: /\b(?:lies|lie)\b/i, instead: 'is stored, is in' },
  { word: /\bstands?\b/i, instead: 'is, is in, represents' },
  { word: /\btold\b|\btells?\b/i, instead: 'report, notify, return' },
  { word: /\bsaid\b|\bsays?\b/i, instead: 'state, report' },
  { word: /\bwanted\b/i, instead: 'requested, required, goal' },
  { word: /\bnobody\b|\bsomebody\b/i, instead: 'no caller, another process, the client' },
  {
    word: /\bhas its turn\b|\bin turns\b|\bgives? way\b|\bstep(?:s|ped)? back\b/i,
    instead: 'yields to the event loop, in slices, lower priority'
  },
  { word: /\bcompany\b/i, instead: 'buffer, batch, queue' },
  { word: /\b(?:is|are) none\b/i, instead: 'is not a ..., absent' },
  { word: /\bmay hold\b/i, instead: 'exceeds, at most, may contain' },
  { word: /\bother ends\b/i, instead: 'related signals' },
  { word: /\bfor ever\b/i, instead: 'forever' },
  { word: /\bput right\b/i, instead: 'restored, corrected' },
  { word: /\bcame last\b/i, instead: 'latest' },
  { word: /\bunless told\b/i, instead: 'by default' },
  { word: /\bun(?:asked|said|told|answered)\b/i, instead: 'by default, not stated, pending' },
  { word: /\b(?:stood|standing)\b/i, instead: 'was, current, reserved' },
  { word: /(?<!there )\b(?:is|are) no (?!longer|more|less|fewer|later)/i, instead: 'is not a ..., must not ...' },
  { word: /\bmay have (?:\d|so many|at most)|\bas (?:one|it|they) may\b/i, instead: 'at most, the limit of' },
  { word: /\btakes? turns\b|\bby turns\b/i, instead: 'round-robin, in slices' },
  { word: /\brest(?:s|ed|ing)? (?:before|between|until)\b/i, instead: 'yields, pauses' },
  { word: /\bin (?:the |its |their |somebody's )?hands\b/i, instead: 'checked out, owned' },
  { word: /\bfault of (?:work|ours)\b/i, instead: 'background error, internal error' },
  { word: /\bof yours\b/i, instead: 'the limit and its value' },
  { word: /\bwhoever (?:asks|waits|knows)\b/i, instead: 'the caller' }
]

/** A line with such a word. */
export interface PrivateWord {
  readonly line: number
  readonly text: string
  readonly instead: string
}

/** The line with names split into words: `askedFor` is checked as `asked For`. */
function splitNames(line: string): string {
  return line.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
}

/** Lines of a source or document, names, comments and messages alike, that use a private word. */
export function privateWords(source: string): readonly PrivateWord[] {
  return source.split('\n').flatMap((text, at) => {
    const words = splitNames(text)
    const found = RULES.find(({ word }) => word.test(text) || word.test(words))
    return found ? [{ line: at + 1, text: text.trim(), instead: found.instead }] : []
  })
}
