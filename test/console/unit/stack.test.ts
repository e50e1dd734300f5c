import { describe, expect, it } from '@jest/globals'
import { parseStack } from '../../../console/src/errors/stack.js'
import { cpuMs } from '../../support/cpu-ms.js'

function framesOf(text: string): readonly (readonly [own: boolean, first: string])[] {
  return parseStack(text)!.flatMap(({ frames }) =>
    frames.map(({ isOfApplication, text }) => [isOfApplication, text.trim().split('\n')[0]] as const)
  )
}

describe('a stack trace', () => {
  it('of Node.js has frames of the application and of libraries', () => {
    const text = [
      "TypeError: cannot read properties of undefined (reading 'currency')",
      '    at toMinorUnits (/app/src/money.ts:31:9)',
      '    at Layer.handle (/app/node_modules/express/lib/router/layer.js:95:5)',
      '    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)'
    ].join('\n')
    expect(parseStack(text)![0].head).toBe("TypeError: cannot read properties of undefined (reading 'currency')")
    expect(framesOf(text).map(([own]) => own)).toEqual([true, false, false])
  })

  it('of Java has a section for each cause', () => {
    const text = [
      'com.shop.PaymentException: declined',
      '\tat com.shop.Payments.charge(Payments.java:88)',
      '\tat java.base/java.lang.Thread.run(Thread.java:840)',
      'Caused by: java.net.SocketTimeoutException: timed out',
      '\tat java.net.Socket.connect(Socket.java:633)',
      '\t... 12 more'
    ].join('\n')
    const sections = parseStack(text)!
    expect(sections.map(({ head }) => head)).toEqual([
      'com.shop.PaymentException: declined',
      'Caused by: java.net.SocketTimeoutException: timed out'
    ])
    expect(framesOf(text).map(([own]) => own)).toEqual([true, false, false])
  })

  it('of Python keeps the source line of a frame with it', () => {
    const text = [
      'Traceback (most recent call last):',
      '  File "/app/shop/pay.py", line 12, in charge',
      '    acquirer.call(amount)',
      '  File "/usr/lib/python3/dist-packages/requests/api.py", line 5, in post',
      '    return request("post")',
      'requests.Timeout: acquirer did not respond'
    ].join('\n')
    const frames = parseStack(text)![0].frames
    expect(frames.map(({ isOfApplication }) => isOfApplication)).toEqual([true, false])
    expect(frames[0].text).toContain('acquirer.call(amount)')
  })

  it.each([
    ['of Ruby', "/app/shop/pay.rb:12:in 'charge'\n/usr/lib/ruby/gems/3.3.0/gems/rack-3.0/lib/rack.rb:5:in 'call'", [true, false]],
    ['of PHP', '#0 /app/src/Pay.php(12): charge()\n#1 /app/vendor/lib/Kernel.php(5): handle()', [true, false]],
    ['of .NET', 'at Shop.Pay.Charge() in /app/Pay.cs:line 12\nat System.Threading.Task.Run()', [true, false]]
  ])('%s is recognized', (_, text, expected) => {
    expect(framesOf(text).map(([own]) => own)).toEqual(expected)
  })

  it.each([
    ['plain text', 'it failed\nbadly'],
    ['an empty string', ''],
    ['one of Go, whose frames are two lines', 'goroutine 1 [running]:\nmain.charge()\n\t/app/main.go:12 +0x1d'],
    ['one of too many lines', `Error\n${'    at f (a.js:1)\n'.repeat(2_001)}`]
  ])('is shown as sent when it is %s', (_, text) => {
    expect(parseStack(text)).toBeNull()
  })

  it('of hostile text is read in linear time', () => {
    const text = `${'at '.repeat(20_000)}\n${':'.repeat(20_000)}\n${' '.repeat(50_000)}x`
    expect(cpuMs(() => void parseStack(text))).toBeLessThan(1_000)
  })
})
