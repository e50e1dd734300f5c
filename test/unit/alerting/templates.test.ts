import { describe, expect, it } from '@jest/globals'
import {
  ExpansionBudget,
  type ExpansionBounds,
  EXPANSION_BOUNDS
} from '../../../src/alerting/evaluate/template/expansion-budget.js'
import { Template } from '../../../src/alerting/evaluate/template/template.js'
import { TemplateError } from '../../../src/alerting/evaluate/template/template-error.js'
import { element } from '../../support/alert-rules.js'

const LABELS = { instance: 'web-1.example.org:9090', job: 'api', n: '5' }

function expand(source: string, value = 1_234_567, bounds: Partial<ExpansionBounds> = {}): string {
  const input = {
    element: { ...element(LABELS, value), metric: 'up' },
    externalUrl: 'https://alidade.example/path',
    externalLabels: new Map([['cluster', 'eu']]),
    atMs: 1_000_500
  }
  return new Template(source).expand(input, new ExpansionBudget({ ...EXPANSION_BOUNDS, ...bounds }))
}

describe('templates of alerts', () => {
  it.each([
    ['plain', 'plain'],
    ['{{ $labels.instance }} is down', 'web-1.example.org:9090 is down'],
    ['{{$labels.job}}/{{.Labels.job}}', 'api/api'],
    ['{{ $value }} {{ .Value }}', '1.234567e+06 1.234567e+06'],
    ['{{ $labels.missing }}.', '.'],
    ['{{ $labels.__name__ }}', 'up'],
    [
      '{{ $externalLabels.cluster }} {{ $externalURL }} {{ externalURL }} {{ pathPrefix }}',
      'eu https://alidade.example/path https://alidade.example/path /path'
    ],
    ['a {{- " b " -}} c', 'a b c'],
    ['a{{/* a comment */}}b {{- /* another */ -}} c', 'abc'],
    ['{{ if gt $value 5.0 }}high{{ else }}low{{ end }}', 'high'],
    ['{{ if lt $value 5.0 }}low{{ else if eq $labels.job "api" }}api{{ else }}?{{ end }}', 'api'],
    ['{{ if and $labels.job (not $labels.missing) }}yes{{ end }}', 'yes'],
    ['{{ or $labels.missing "none" }}', 'none'],
    ['{{ with $labels.job }}<{{ . }}>{{ end }}{{ with $labels.missing }}x{{ else }}none{{ end }}', '<api>none'],
    ['{{ range $k, $v := $labels }}{{ $k }}={{ $v }};{{ end }}', '__name__=up;instance=web-1.example.org:9090;job=api;n=5;'],
    ['{{ range $labels }}{{ if eq . "api" }}{{ break }}{{ end }}{{ . }},{{ end }}', 'up,web-1.example.org:9090,'],
    ['{{ range $k, $v := $labels }}{{ if ne $k "job" }}{{ continue }}{{ end }}{{ $v }}{{ end }}', 'api'],
    ['{{ $x := "a" }}{{ if true }}{{ $x = "b" }}{{ end }}{{ $x }}', 'b'],
    ['{{ $x := "a" }}{{ if true }}{{ $x := "b" }}{{ end }}{{ $x }}', 'a'],
    ['{{ index $labels "job" }} {{ (index $labels "n") | parseDuration }}', new Error('not a valid duration')],
    ['{{ "90s" | parseDuration | humanizeDuration }}', '1m 30s'],
    ['{{ $labels.job | toUpper | printf "%s!" }}', 'API!'],
    ['{{ "HELLO world" | toLower | title }}', 'Hello World'],
    [
      '{{ printf "%.2f|%5d|%-4s|%q|%v|%t|%x|%%" 1.005 3 "ab" "q\\"" true false "hi" }}',
      '1.00|    3|ab  |"q\\""|true|false|6869|%'
    ],
    ['{{ printf "%d" $value }}', '%!d(float64=1.234567e+06)'],
    ['{{ printf "%s %s" "a" }}', 'a %!s(MISSING)'],
    ['{{ printf "%s" "a" "b" }}', 'a%!(EXTRA string=b)'],
    ['{{ printf "%.3g %e %08.3f %+d" 1234.5 1234.5 3.14159 5 }}', '1.23e+03 1.234500e+03 0003.142 +5'],
    ['{{ len $labels.job }} {{ len $labels }}', '3 4'],
    ['{{ print 1 2 "x" 3 }}', '1 2x3'],
    ['{{ if match "^web-[0-9]" $labels.instance }}web{{ end }}', 'web'],
    ['{{ reReplaceAll "(.*):[0-9]+" "host $1" $labels.instance }}', 'host web-1.example.org'],
    ['{{ reReplaceAll "x*" "-" "abc" }}', '-a-b-c-'],
    ['{{ $labels.instance | stripPort | stripDomain }}', 'web-1'],
    ['{{ "[::1]:90" | stripPort }} {{ "10.0.0.1" | stripDomain }}', '::1 10.0.0.1'],
    ['{{ `raw "string" \\n` }}', 'raw "string" \\n'],
    ['{{ "tab\\tnew\\u00e9" }}', 'tab\tnewé'],
    ["{{ 'a' }} {{ 0x10 }} {{ -3 }} {{ 1.5 }}", '97 16 -3 1.5'],
    ['{{ urlQueryEscape "a b&c" }} {{ tableLink "up == 0" }}', 'a+b%26c /graph?g0.expr=up+%3D%3D+0&g0.tab=1'],
    ['{{ now }}', '1000.5'],
    ['{{ (args 1 "x").arg1 }}', 'x'],
    // A pipe at the end means nothing, as in Go.
    ['{{ $labels.job | toUpper |}}/{{ print (5 | ) }}{{ if $labels.job | }}!{{ end }}', 'API/5!']
  ] as const)('%s', (source, expected) => {
    if (expected instanceof Error) expect(() => expand(source)).toThrow(expected.message)
    else expect(expand(source)).toBe(expected)
  })

  // Cases of template_test.go of Prometheus.
  it.each([
    ['humanize', [0, 1, 1_234_567, 0.12, Infinity, Number.NaN, -12_345], ['0', '1', '1.235M', '120m', '+Inf', 'NaN', '-12.35k']],
    ['humanize1024', [0, 1, 1_048_576, 0.12, 1_234_567_890], ['0', '1', '1Mi', '0.12', '1.15Gi']],
    [
      'humanizeDuration',
      [0, 1, 60, 3_600, 86_400, 86_400 + 3_600, -(86_400 * 2 + 3_600 * 3 + 60 * 4 + 5), 899.99],
      ['0s', '1s', '1m 0s', '1h 0m 0s', '1d 0h 0m 0s', '1d 1h 0m 0s', '-2d 3h 4m 5s', '14m 59s']
    ],
    [
      'humanizeDuration',
      [0.1, 0.0001, 0.12345, 60.1, 1_234_567 / 1e6, 12.345678],
      ['100ms', '100us', '123.5ms', '1m 0s', '1.235s', '12.35s']
    ],
    ['humanizePercentage', [-0.22222, 0, 0.1234567, 1.23456], ['-22.22%', '0%', '12.35%', '123.5%']],
    [
      'humanizeTimestamp',
      [0, 1_435_065_584.128, 253_402_300_799],
      ['1970-01-01 00:00:00 +0000 UTC', '2015-06-23 13:19:44.128 +0000 UTC', '9999-12-31 23:59:59 +0000 UTC']
    ]
  ])('%s of numbers', (name, values, expected) => {
    expect(values.map(value => expand(`{{ ${name} $value }}`, value))).toEqual(expected)
  })

  it('takes numbers in strings where Prometheus does', () => {
    expect(expand('{{ humanize "1234567" }} {{ "0.5" | humanizePercentage }} {{ humanize 1000 }}')).toBe('1.235M 50% 1k')
  })
})

describe('templates that fail', () => {
  it.each([
    ['{{ if $value }}', '{{if}} without {{end}}'],
    ['{{ end }}', 'unexpected {{end}}'],
    ['{{ $labels.job', 'unclosed action'],
    ['{{ $nothing }}', 'undefined variable "$nothing"'],
    ['{{ nothing 1 }}', 'function "nothing" not defined'],
    ['{{ "x }}', 'unterminated quoted string'],
    ['{{/* x }}', 'unclosed comment'],
    ['{{ ($value }}', 'unclosed left parenthesis'],
    ['{{ 1 | 2 }}', 'only functions can follow a pipe'],
    ['{{ break }}', '{{break}} outside {{range}}'],
    ['{{ define "x" }}{{ end }}', '{{define}} is not supported'],
    ['{{ | $value }}', 'missing value'],
    ['{{ $value || humanize }}', 'missing value'],
    ['{{ % }}', 'unexpected "%" in an action'],
    [`${'{{ if true }}'.repeat(33)}${'{{ end }}'.repeat(33)}`, 'must not nest deeper than 32 levels']
  ])('%s cannot be parsed', (source, message) => {
    expect(() => new Template(source)).toThrow(message)
  })

  it.each([
    ['{{ humanize true }}', "can't convert bool to float"],
    ['{{ gt $value 5 }}', 'incompatible types for comparison: float64 and int'],
    ['{{ .Nothing }}', "can't evaluate field Nothing"],
    ['{{ $value.x }}', "can't evaluate field x in type float64"],
    ['{{ $value 1 }}', "can't give argument to non-function"],
    ['{{ humanize }}', 'wrong number of args for humanize: want 1 got 0'],
    ['{{ match "(" "x" }}', 'error parsing regexp'],
    ['{{ query "up" }}', 'templates do not run queries'],
    ['{{ printf "%2000d" 1 }}', 'a width of printf must not exceed 1000'],
    ['{{ range 1.5 }}{{ end }}', "range can't iterate over 1.5"],
    ['{{ humanizeTimestamp 1e300 }}', 'is not a time in Unix seconds']
  ])('%s cannot be expanded', (source, message) => {
    expect(() => expand(source)).toThrow(TemplateError)
    expect(() => expand(source)).toThrow(message)
  })

  it('are bounded in what they make', () => {
    const doubled = `{{ $x := "0123456789abcdef" }}${'{{ $x = print $x $x }}'.repeat(13)}{{ $x }}`
    expect(() => expand(doubled)).toThrow('an expanded template exceeds 65536 characters')
    expect(expand(`{{ $x := "0123456789abcdef" }}${'{{ $x = print $x $x }}'.repeat(12)}{{ $x }}`)).toHaveLength(65_536)
    expect(() => expand(`{{ reReplaceAll "" "${'x'.repeat(400)}" "${'y'.repeat(400)}" }}`)).toThrow('exceeds 65536 characters')
  })

  it('are bounded in steps, characters and regexes', () => {
    const nested = '{{ range $labels }}{{ range $labels }}{{ range $labels }}{{ end }}{{ end }}{{ end }}'
    expect(() => expand(nested, 1, { maxSteps: 20 })).toThrow('exceed 20 steps')
    expect(() => expand('{{ printf "%100d" 1 }}{{ printf "%100d" 1 }}', 1, { maxChars: 150 })).toThrow('exceed 150 characters')
    expect(() => expand('{{ match "a+b" "aaaa" }}', 1, { maxRegexCost: 100 })).toThrow('exceed the cost of 100')
  })
})
