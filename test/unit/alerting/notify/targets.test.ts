import { describe, expect, it } from '@jest/globals'
import { AllowedTargets } from '../../../../src/alerting/notify/target/allowed-targets.js'
import { MAX_URL_CHARS, parseTarget } from '../../../../src/alerting/notify/target/target-url.js'

const NONE = new AllowedTargets([])

describe('addresses that are not public', () => {
  it.each([
    ['0.0.0.0', '0.255.255.255', '10.0.0.0', '10.255.255.255', '100.64.0.0', '100.127.255.255', '127.0.0.1', '127.255.255.255'],
    ['169.254.0.0', '169.254.169.254', '172.16.0.0', '172.31.255.255', '192.0.0.1', '192.0.2.1', '192.88.99.1', '192.168.0.1'],
    [
      '198.18.0.0',
      '198.19.255.255',
      '198.51.100.1',
      '203.0.113.1',
      '224.0.0.1',
      '239.255.255.255',
      '240.0.0.1',
      '255.255.255.255'
    ],
    ['::', '::1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:7f00:1', '64:ff9b::7f00:1', '64:ff9b::8.8.8.8'],
    ['64:ff9b:1::1', '100::1', '2001::1', '2001:db8::1', '2002:7f00:1::', '2002:808:808::1', 'fc00::1', 'fd00:ec2::254'],
    ['fe80::1', 'fe80::1%lo', 'fec0::1', 'ff02::1', '5f00::1', '3fff::1', '168.63.129.16', '100.100.100.200']
  ])('are refused: %s, %s, %s, %s, %s, %s, %s, %s', (...addresses) => {
    expect(addresses.filter(address => NONE.allows('host.example', address))).toEqual([])
  })

  it('do not include the neighbors of those networks', () => {
    const open = ['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255']
    const more = [
      '128.0.0.0',
      '169.253.255.255',
      '172.15.255.255',
      '172.32.0.0',
      '192.167.255.255',
      '198.20.0.0',
      '223.255.255.255'
    ]
    const v6 = ['2606:4700:4700::1111', '2a00:1450:4001::1', '2001:4860:4860::8888', '2003::1', '64:ff9c::1']
    expect([...open, ...more, ...v6].filter(address => !NONE.allows('host.example', address))).toEqual([])
  })

  it('are open to the operator, those of metadata services by their very address alone', () => {
    const allowed = new AllowedTargets(['10.0.0.0/8', '169.254.0.0/16', 'fd00::/8', 'Alertmanager.Internal', '127.0.0.1'])
    expect(['10.1.2.3', '169.254.1.1', 'fd12::1', '127.0.0.1'].map(address => allowed.allows('x', address))).toEqual([
      true,
      true,
      true,
      true
    ])
    expect(
      ['192.168.0.1', '127.0.0.2', '::1', '169.254.169.254', 'fd00:ec2::254'].map(address => allowed.allows('x', address))
    ).toEqual(Array(5).fill(false))
    expect(allowed.allows('alertmanager.internal.', '192.168.0.1')).toBe(true)
    expect(allowed.allows('alertmanager.internal', '169.254.169.254')).toBe(false)
    expect(allowed.allows('other.internal', '192.168.0.1')).toBe(false)
    expect(new AllowedTargets(['169.254.169.254']).allows('x', '169.254.169.254')).toBe(true)
    expect(new AllowedTargets(['169.254.169.254/32']).allows('x', '169.254.169.254')).toBe(true)
  })
})

describe('URLs of channels', () => {
  it.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://017700000001/',
    'https://127.1/',
    'https://127.0.0.1./',
    'https://１２７.０.０.１/',
    'https://①②⑦.⓪.⓪.①/',
    'https://%31%32%37.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[0:0:0:0:0:ffff:127.0.0.1]/',
    'https://[64:ff9b::127.0.0.1]/',
    'https://[2002:7f00:1::]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://user@example.com/',
    'https://user:password@example.com/',
    'https://:password@example.com/',
    'https://example.com:0/',
    'http://example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'example.com',
    '//example.com',
    'https://',
    'https://exa mple.com/',
    ''
  ])('%s is refused', url => {
    expect(() => parseTarget(url, NONE)).toThrow(expect.objectContaining({ code: 'invalid_field', field: 'target' }))
  })

  it.each([
    ['https://hooks.example.com/a?b=c#d', 'https://hooks.example.com/a?b=c'],
    ['HTTPS://Hooks.Example.com:8443', 'https://hooks.example.com:8443/'],
    ['https://8.8.8.8/', 'https://8.8.8.8/'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/']
  ])('%s is %s', (url, href) => {
    expect(parseTarget(url, NONE).href).toBe(href)
  })

  it('use http for allowed targets alone', () => {
    const allowed = new AllowedTargets(['10.0.0.0/8'])
    expect(parseTarget('http://10.0.0.1:9093/', allowed).href).toBe('http://10.0.0.1:9093/')
    expect(() => parseTarget('http://8.8.8.8/', allowed)).toThrow('must be an https URL')
    // Its addresses decide at each attempt.
    expect(parseTarget('http://alertmanager/', allowed).href).toBe('http://alertmanager/')
    expect(() => parseTarget('http://alertmanager/', new AllowedTargets(['other']))).toThrow('must be an https URL')
  })

  it('are bounded', () => {
    const url = `https://example.com/${'x'.repeat(MAX_URL_CHARS - 20)}`
    expect(parseTarget(url, NONE).href).toBe(url)
    expect(() => parseTarget(`${url}x`, NONE)).toThrow('exceeds 2048 characters (got 2049)')
  })
})
