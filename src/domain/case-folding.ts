// Unicode 17 CaseFolding.txt, statuses C and S: `start:delta` in base 36, `start+n` for n code points in a row,
// `start/n` for every second one. JavaScript's toLowerCase is another mapping (final sigma, İ, ſ, Cherokee).
const FOLDS =
  '1t+q:w 51:lj 5c+n:w 60+7:w 74/o:1 8i/3:1 8p/8:1 96/n:1 ag:-3d ah/3:1 an:-7g ap:5u aq/2:1 au:5q av:1 ax+2:5p az:1 ' +
  'b2:27 b3:5m b4:5n b5:1 b7:5p b8:5r ba:5v bb:5t bc:1 bg:5v bh:5x bj:5y bk/3:1 bq:62 br:1 bt:62 bw:1 by:62 bz:1 ' +
  'c1+2:61 c3/2:1 c7:63 c8:1 cc:1 ck:2 cl:1 cn:2 co:1 cq:2 cr/9:1 da/9:1 dt:2 du/2:1 dy:-2p dz:-1k e0/k:1 f4:-3m ' +
  'f6/9:1 fu:8bv fv:1 fx:-4j fy:8bs g1:1 g3:-5f g4:1x g5:1z g6/5:1 n9:38 og/2:1 om:1 ov:38 p2:12 p4+3:11 p8:1s ' +
  'pa+2:1r pd+h:w pv+9:w qq:1 r3:8 r4:-u r5:-p r9:-f ra:-m rc/c:1 s0:-1i s1:-1c s4:-1o s5:-1s s7:1 s9:-7 sa:1 ' +
  'sd+3:-3m sg+g:28 sw+w:w v4/h:1 wa/r:1 xs:f xt/7:1 y8/1c:1 10x+12:1c 3a8+12:5ls 3bb:5ls 3bh:5ls 3y0+6:-8 5mo:-4su ' +
  '5mp:-4st 5mq:-4sk 5mr+2:-4si 5mt:-4sj 5mu:-4sc 5mv:-4ro 5mw:r7n 5mx:1 5n4+17:-2bk 5od+3:-2bk 5xc/23:1 61n:-1m ' +
  '61q:-5vj 61s/1c:1 64o+8:-8 654+6:-8 65k+8:-8 660+8:-8 66g+6:-8 66x/4:-8 67c+8:-8 688+8:-8 68o+8:-8 694+8:-8 ' +
  '69k+2:-8 69m+2:-22 69o:-9 69q:-5j9 6a0+4:-2e 6a4:-9 6ab:-5kz 6ag+2:-8 6ai+2:-2s 6ar:-5kj 6aw+2:-8 6ay+2:-34 ' +
  '6b0:-7 6bc+2:-3k 6be+2:-3i 6bg:-9 6jq:-5st 6ju:-6gv 6jv:-6di 6k2:s 6lc+g:g 6mb:1 792+q:q 8ow+1c:1c 8rk:1 ' +
  '8rm:-8af 8rn:-2xy 8ro:-89z 8rr/3:1 8rx:-8bg 8ry:-8al 8rz:-8bj 8s0:-8bi 8s2:1 8s5:1 8se+2:-8cf 8sg/1e:1 8vf/2:1 ' +
  '8vm:1 wu8/n:1 ww0/e:1 x0i/7:1 x0y/v:1 x2x/2:1 x31:-r9g x32/5:1 x3f:1 x3h:-wmg x3k/2:1 x3q/a:1 x4a:-wn8 x4b:-wnj ' +
  'x4c:-wnf x4d:-wn5 x4e:-wn8 x4g:-wlu x4h:-wmi x4i:-wlx x4j:ps x4k/8:1 x50:-1c x51:-wn7 x52:-raw x53/2:1 x57:-wo7 ' +
  'x58/8:1 x5o:-wu9 x6d:1 xv4+28:-tzk 1dl1:1 1ee9+q:w 1fcw+14:14 1fhs+10:14 1fn4+b:13 1fng+f:13 1fnw+7:13 1fo4+2:13 ' +
  '1h1c+1f:1s 1h74+m:w 1jfk+w:w 20cg+w:w 20f4+p:r 2olc+y:y'

// Code points whose `lower` in DuckDB 1.5 is not their folding; a test runs all code points against the engine.
const LOWER_DIFFERS =
  '\u{b5}\u{130}\u{17f}\u{345}\u{3c2}\u{3d0}\u{3d1}\u{3d5}\u{3d6}\u{3f0}\u{3f1}\u{3f5}\u{1c80}-\u{1c89}\u{1e9b}\u{1fbe}\u{1fd3}\u{1fe3}\u{13a0}-\u{13f5}\u{13f8}-\u{13fd}\u{ab70}-\u{abbf}' +
  '\u{a7cb}\u{a7cc}\u{a7ce}\u{a7d2}\u{a7d4}\u{a7da}\u{a7dc}\u{fb05}\u{10d50}-\u{10d65}\u{16ea0}-\u{16eb8}'

function readTable(): ReadonlyMap<number, number> {
  const table = new Map<number, number>()
  for (const entry of FOLDS.split(' ')) {
    const [range = '', deltaText = ''] = entry.split(':')
    const [start = '', count = '1'] = range.split(/[+/]/)
    const step = range.includes('/') ? 2 : 1
    const first = parseInt(start, 36)
    const delta = parseInt(deltaText, 36)
    for (let i = 0; i < parseInt(count, 36); i++) table.set(first + i * step, first + i * step + delta)
  }
  return table
}

const TABLE = readTable()
function invertTable(): ReadonlyMap<string, readonly string[]> {
  const variants = new Map<string, string[]>()
  for (const [from, to] of TABLE) {
    const folded = String.fromCodePoint(to)
    const known = variants.get(folded)
    if (known) known.push(String.fromCodePoint(from))
    else variants.set(folded, [folded, String.fromCodePoint(from)])
  }
  return variants
}

const VARIANTS = invertTable()
const NOT_ASCII = /[^\0-\u{7f}]/u
const NEEDS_FOLD = new RegExp(`[${LOWER_DIFFERS}]`, 'u')

/** The text folded to one case: Unicode CaseFolding statuses C and S, code point by code point. */
export function fold(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase()
  let folded = ''
  for (const char of text) {
    const code = char.codePointAt(0)!
    const target = TABLE.get(code)
    folded += target === undefined ? char : String.fromCodePoint(target)
  }
  return folded
}

/** Whether DuckDB's `lower` of the string differs from `fold`, so that the folded string must be stored as well. */
export function needsFoldColumn(text: string): boolean {
  return NEEDS_FOLD.test(text)
}

/** All characters that `needsFoldColumn` looks for. */
export function foldExceptions(): readonly string[] {
  const candidates = [...TABLE.keys(), ...TABLE.values()].map(code => String.fromCodePoint(code))
  return [...new Set([...candidates, '\u{130}'])].filter(needsFoldColumn)
}

/** All characters that fold to a folded character, itself first: `k` gives k, K and the Kelvin sign. */
export function caseVariants(folded: string): readonly string[] {
  return VARIANTS.get(folded) ?? [folded]
}

/** Every set of characters that fold to one: what a range of a regex must be widened by when matching is case-insensitive. */
export function caseClasses(): Iterable<readonly string[]> {
  return VARIANTS.values()
}
