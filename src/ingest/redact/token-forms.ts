import { type CharClass, charClass, DIGITS, LETTERS, LOWER, UPPER } from './chars.js'

/** Form of the tokens of one maker: a fixed beginning, then at least so many characters of a class. */
export interface TokenForm {
  readonly prefix: string
  readonly rest: CharClass
  /** Characters after the prefix, at least. */
  readonly min: number
  /** At most, so that words that only begin alike are not tokens; absent: any number. */
  readonly max?: number
}

const ALNUM = charClass(LETTERS + DIGITS)
const BASE64URL = charClass(`${LETTERS}${DIGITS}_-`)
const DOTTED = charClass(`${LETTERS}${DIGITS}_.-`)
const HEX = charClass(`${DIGITS}abcdefABCDEF`)
const AWS_ID = charClass(`${UPPER}${DIGITS}`)
const SLACK = charClass(`${LETTERS}${DIGITS}-`)
const SLACK_HOOK = charClass(`${UPPER}${LOWER}${DIGITS}/`)

function forms(prefixes: readonly string[], rest: CharClass, min: number, max?: number): readonly TokenForm[] {
  return prefixes.map(prefix => ({ prefix, rest, min, ...(max !== undefined && { max }) }))
}

/** Published forms of the tokens of well-known makers, and of Alidade's own. */
export const TOKEN_FORMS: readonly TokenForm[] = [
  ...forms(['AKIA', 'ASIA', 'ABIA', 'ACCA'], AWS_ID, 16, 16),
  ...forms(['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], ALNUM, 36),
  ...forms(['github_pat_'], charClass(`${LETTERS}${DIGITS}_`), 22),
  ...forms(['glpat-', 'gldt-', 'glrt-', 'glptt-'], DOTTED, 20),
  ...forms(['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-', 'xoxe-', 'xoxe.xoxp-', 'xapp-'], SLACK, 20),
  ...forms(['hooks.slack.com/services/', 'hooks.slack.com/workflows/'], SLACK_HOOK, 20),
  ...forms(['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'whsec_'], ALNUM, 16),
  ...forms(['AIza'], BASE64URL, 35),
  ...forms(['GOCSPX-'], BASE64URL, 28),
  ...forms(['ya29.'], BASE64URL, 20),
  ...forms(['sk-ant-', 'sk-proj-', 'sk-svcacct-', 'sk-'], BASE64URL, 32),
  ...forms(['npm_'], ALNUM, 36),
  ...forms(['pypi-AgEIcHlwaS5vcmc'], BASE64URL, 50),
  ...forms(['SG.'], DOTTED, 64),
  ...forms(['dop_v1_', 'doo_v1_', 'dor_v1_'], HEX, 64),
  ...forms(['hf_'], ALNUM, 34),
  ...forms(['shpat_', 'shpca_', 'shppa_', 'shpss_'], HEX, 32),
  ...forms(['hvs.', 'hvb.', 'hvr.'], BASE64URL, 24),
  ...forms(['dapi'], HEX, 32),
  ...forms(['lin_api_'], ALNUM, 40),
  ...forms(['ATATT3'], BASE64URL, 60),
  ...forms(['ali_ingest_', 'ali_query_', 'ali_rum_', 'ali_invite_', 'alr_'], BASE64URL, 20)
]
