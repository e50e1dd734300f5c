import type { Field } from '../../../domain/filter.js'
import type { DocumentKind } from '../document/field-names.js'
import { fieldTarget } from './field-target.js'

// Numbers of free fields are strings to the engine, with which it does not compute: scripts read them. Everything that a caller sent is
// a parameter, so that the engine compiles each script once.

/** `strings(doc, of)`: the different strings of a field, without the empty one. */
const STRINGS = `
Collection strings(Map doc, Map of) {
  Set found = new LinkedHashSet();
  if (!doc.containsKey(of.field)) return found;
  for (def value : doc.get(of.field)) {
    String text = value instanceof Double && value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
    for (String prefix : of.prefixes) {
      if (!text.startsWith(prefix)) continue;
      String own = text.substring(prefix.length());
      if (own.length() > 0) found.add(own);
      break;
    }
  }
  return found;
}`

/** `numberIn(text)`: the number that a string spells (`NUMBER_PATTERN`), or null. Regexes of scripts are often switched off. */
const NUMBER_IN = `
int skipDigits(String text, int from) {
  int at = from;
  while (at < text.length() && text.charAt(at) >= 48 && text.charAt(at) <= 57) at++;
  return at;
}
int skipSign(String text, int at) {
  return at < text.length() && (text.charAt(at) == 43 || text.charAt(at) == 45) ? at + 1 : at;
}
def numberIn(String text) {
  int from = skipSign(text, 0);
  int at = skipDigits(text, from);
  if (at == from) return null;
  if (at < text.length() && text.charAt(at) == 46) {
    from = at + 1;
    at = skipDigits(text, from);
    if (at == from) return null;
  }
  if (at < text.length() && (text.charAt(at) == 69 || text.charAt(at) == 101)) {
    from = skipSign(text, at + 1);
    at = skipDigits(text, from);
    if (at == from) return null;
  }
  if (at < text.length()) return null;
  double number = Double.parseDouble(text);
  if (Double.isInfinite(number)) return null;
  return number == 0 ? 0.0 : number;
}`

/** `numbers(doc, of)`: the different numbers of a field. */
const NUMBERS_OF = `${NUMBER_IN}
Collection numbers(Map doc, Map of) {
  Set found = new LinkedHashSet();
  if (!doc.containsKey(of.field)) return found;
  for (def value : doc.get(of.field)) {
    if (of.prefixes == null) {
      found.add(((Number) value).doubleValue());
      continue;
    }
    for (String prefix : of.prefixes) {
      if (!value.startsWith(prefix)) continue;
      def number = numberIn(value.substring(prefix.length()));
      if (number != null) found.add(number);
      break;
    }
  }
  return found;
}`

/** Bins grow by one hundredth: a number and the middle of its bin differ by half a percent at most. */
const BINS_PER_E = 100
/** Added to the bins of positive numbers, so that none of them is 0, the bin of 0. Beyond the logarithm of any double. */
const BIN_SHIFT = 100_000
/** A number and the middle of its bin differ by less than this share of the number. */
export const BIN_ERROR = 0.00502

/** `bin(number)`: the number of its bin, negative for negative numbers. */
const BIN = `
int bin(double number) {
  if (number == 0) return 0;
  int size = (int) Math.floor(Math.log(Math.abs(number)) * ${BINS_PER_E}) + ${BIN_SHIFT};
  return number < 0 ? -size : size;
}`

/** The middle of a bin. */
export function middleOfBin(bin: number): number {
  if (bin === 0) return 0
  return Math.sign(bin) * Math.exp((Math.abs(bin) - BIN_SHIFT + 0.5) / BINS_PER_E)
}

/** Where a script finds the values of a field; without prefixes they are numbers of the engine. */
export interface ScriptField {
  readonly field: string
  readonly prefixes: readonly string[] | null
}

/** How scripts read the strings of a field. Throws `query_unsupported`. */
export function scriptStrings(field: Field, kind: DocumentKind): ScriptField {
  const target = fieldTarget(field, kind, true)
  if (target.kind === 'number') return { field: target.number.field, prefixes: [''] }
  if (target.kind === 'time') return { field: '@timestamp', prefixes: [''] }
  return { field: target.terms.field, prefixes: target.terms.prefixes.map(({ text }) => text) }
}

/** How scripts read the numbers of a field; null for well-known strings, which are not numbers. */
export function scriptNumbers(field: Field, kind: DocumentKind): ScriptField | null {
  const target = fieldTarget(field, kind, true)
  if (target.kind === 'number') return { field: target.number.field, prefixes: null }
  if (target.kind === 'time' || target.terms.numbers === null) return null
  return { field: target.terms.field, prefixes: target.terms.prefixes.map(({ text }) => text) }
}

/** A script of the engine's language. */
interface Script {
  readonly lang: 'painless'
  readonly source: string
  readonly params?: Readonly<Record<string, unknown>>
}

function script(source: string, params: Readonly<Record<string, unknown>>): Script {
  return { lang: 'painless', source, params }
}

/** The numbers of a field, as the values of an aggregation. */
export function numbersScript(of: ScriptField): Script {
  return script(`${NUMBERS_OF} return numbers(doc, params.of);`, { of })
}

/** Those numbers of a field that are at most `atMost`, as the values of an aggregation. */
export function numbersUpToScript(of: ScriptField, atMost: number): Script {
  const source = `${NUMBERS_OF} List few = new ArrayList(); for (def value : numbers(doc, params.of)) if (value <= params.atMost) few.add(value); return few;`
  return script(source, { of, atMost })
}

/** The strings of a field, as the values of an aggregation. */
export function stringsScript(of: ScriptField): Script {
  return script(`${STRINGS} return strings(doc, params.of);`, { of })
}

const TALLY_INIT = 'state.counts = new HashMap(); state.isCut = false;'
const TALLY_ADD = `
void add(Map state, def value, long cap) {
  if (state.isCut) return;
  def before = state.counts.get(value);
  long next = 1;
  if (before != null) next += before;
  state.counts.put(value, next);
  if (state.counts.size() <= cap) return;
  state.isCut = true;
  state.counts.clear();
}`
const TALLY_COMBINE = `
  List values = new ArrayList(state.counts.keySet());
  List counts = new ArrayList();
  for (def value : values) counts.add(state.counts.get(value));
  return ['values': values, 'counts': counts, 'isCut': state.isCut];`
const TALLY_REDUCE = `
  Map sums = new HashMap();
  boolean isCut = false;
  for (def part : states) {
    if (part == null) continue;
    if (part.isCut) isCut = true;
    for (int i = 0; i < part.values.size(); i++) {
      def before = sums.get(part.values.get(i));
      long next = part.counts.get(i);
      if (before != null) next += before;
      sums.put(part.values.get(i), next);
    }
    if (sums.size() > params.cap) isCut = true;
    if (isCut) sums.clear();
  }
  return ['values': new ArrayList(sums.keySet()), 'counts': new ArrayList(sums.values()), 'isCut': isCut];`

/** What is tallied: numbers, or bins of numbers. */
export type Tallied = 'numbers' | 'bins'

/** Aggregation that counts the numbers of a field: at most `cap` different ones in each bucket, beyond that none are returned. */
export function tallyAggregation(tallied: Tallied, of: ScriptField, cap: number): Readonly<Record<string, unknown>> {
  const [functions, value] = tallied === 'bins' ? [NUMBERS_OF + BIN, 'bin(value)'] : [NUMBERS_OF, 'value']
  return {
    scripted_metric: {
      params: { of, cap },
      init_script: TALLY_INIT,
      map_script: `${functions}${TALLY_ADD} for (def value : numbers(doc, params.of)) add(state, ${value}, params.cap);`,
      combine_script: TALLY_COMBINE,
      reduce_script: TALLY_REDUCE
    }
  }
}

/** Result of `tallyAggregation`; values and counts are in the same order. */
export interface Tally {
  readonly values: readonly number[]
  readonly counts: readonly number[]
  readonly isCut: boolean
}
