import { describe, expect, it } from '@jest/globals'
import { cloudUrl } from '../../../src/stores/elasticsearch/client/cloud-id.js'

function cloudId(parts: string, name = 'my deployment'): string {
  return `${name}:${Buffer.from(parts).toString('base64')}`
}

describe('a cloud id', () => {
  it.each([
    ['eu-west-1.aws.example.io$abc123$def456', 'https://abc123.eu-west-1.aws.example.io'],
    ['eu-west-1.aws.example.io:443$abc123$def456', 'https://abc123.eu-west-1.aws.example.io'],
    ['eu.example.io:9243$abc123$', 'https://abc123.eu.example.io:9243'],
    ['eu.example.io$abc123', 'https://abc123.eu.example.io'],
    ['eu.example.io:9243$abc123:9244$def456:9245', 'https://abc123.eu.example.io:9244'],
    ['eu.example.io$abc123:9244$def456', 'https://abc123.eu.example.io:9244']
  ])('of %s means %s', (parts, url) => {
    expect(cloudUrl(cloudId(parts))).toBe(url)
  })

  it('may have an empty name, or one with colons', () => {
    expect(cloudUrl(cloudId('eu.example.io$abc', ''))).toBe('https://abc.eu.example.io')
    expect(cloudUrl(cloudId('eu.example.io$abc', 'a: b'))).toBe('https://abc.eu.example.io')
  })

  it.each([
    '',
    'name:',
    'name:!!',
    cloudId('eu.example.io'),
    cloudId('$abc$def'),
    cloudId('eu.example.io$$def'),
    cloudId('a b$c')
  ])('is refused when it is %p', text => {
    expect(() => cloudUrl(text)).toThrow('elasticsearch_cloud_id is not a cloud id')
  })
})
