import { createContext, runInContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { SANDBOX_EXAMPLES } from '../../src/http/sandbox-examples.js'
import { sandboxReply } from '../../src/http/sandbox-page.js'
import { SANDBOX_SCRIPT } from '../../src/http/sandbox-script.js'
import { type GraphqlOverStores, serveGraphql } from '../support/graphql-stores.js'

type Listener = (event: { preventDefault(): void }) => unknown

/** As much of an element as the page's script touches. */
class FakeElement {
  textContent = ''
  value = ''
  hidden = false
  selectedIndex = 0
  readonly dataset: Record<string, string> = {}
  readonly children: FakeElement[] = []
  readonly listeners = new Map<string, Listener>()

  append(child: FakeElement): void {
    this.children.push(child)
    this.textContent += child.textContent
  }

  addEventListener(name: string, listener: Listener): void {
    this.listeners.set(name, listener)
  }

  async fire(name: string): Promise<void> {
    await this.listeners.get(name)!({ preventDefault: () => undefined })
  }
}

let served: GraphqlOverStores
beforeAll(async () => {
  served = await serveGraphql()
})
afterAll(() => served?.close())

/** The page's elements after its script ran. */
function openPage(): (id: string) => FakeElement {
  const { html } = sandboxReply('/api/v1/graphql')
  const elements = new Map([...html.matchAll(/ id="([a-z]+)"/g)].map(([, id]) => [id!, new FakeElement()]))
  elements.get('setup')!.textContent = /id="setup">([\s\S]*?)<\/script>/.exec(html)![1]!
  const find = (id: string): FakeElement => {
    const element = elements.get(id)
    if (!element) throw new Error(`the page has no ${id}`)
    return element
  }
  const document = { getElementById: find, createElement: () => new FakeElement(), addEventListener: () => undefined }
  const sessionStorage = { getItem: () => null, setItem: () => undefined }
  const fetchHere = async (path: string, init: RequestInit): Promise<Response> => fetch(served.url + path, init)
  runInContext(SANDBOX_SCRIPT, createContext({ document, sessionStorage, fetch: fetchHere, performance }))
  return find
}

describe('the sandbox page', () => {
  it('opens with an example, and shows another when it is chosen', async () => {
    const find = openPage()
    expect(find('query').value).toBe(SANDBOX_EXAMPLES[0]!.query)
    expect(find('examples').children.map(option => option.textContent)).toEqual(SANDBOX_EXAMPLES.map(({ title }) => title))
    find('examples').selectedIndex = 1
    await find('examples').fire('change')
    expect(JSON.parse(find('variables').value)).toEqual(SANDBOX_EXAMPLES[1]!.variables)
  })

  it('runs a query and shows the response, its status and its time', async () => {
    const find = openPage()
    find('query').value = 'query Q($range: TimeRange!) { logs(range: $range) { total { value } } }'
    find('variables').value = '{ "range": { "from": "now-1h" } }'
    await find('run').fire('click')
    expect(JSON.parse(find('result').textContent)).toEqual({ data: { logs: { total: { value: 0 } } } })
    expect(find('status').textContent).toMatch(/^200 in \d+ ms, \d+ bytes$/)
    find('variables').value = '{'
    await find('run').fire('click')
    expect(find('result').textContent).toMatch(/^Variables are not JSON/)
  })

  it('lists the schema, roots first, and finds a field in it', async () => {
    const find = openPage()
    await find('load').fire('click')
    const types = find('schema').children
    const roots = types.slice(0, 3).map(type => type.children[0]!.textContent)
    expect(roots).toEqual(['Query', 'Mutation', 'Subscription'])
    expect(find('schema').textContent.includes('counts: [[SafeInt!]!]!')).toBe(true)
    expect(types[0]!.textContent).toContain('logs(range: TimeRange!')
    find('filter').value = 'levelText'
    await find('filter').fire('input')
    expect(types.filter(type => !type.hidden).map(type => type.children[0]!.textContent)).toEqual(['LogRecord'])
  })
})
