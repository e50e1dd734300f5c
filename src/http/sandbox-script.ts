/** Script of the sandbox page, run unchanged by the browser. Responses reach the page as text only, never as HTML. */
export const SANDBOX_SCRIPT = `
'use strict'
const at = id => document.getElementById(id)
const { path, login, examples } = JSON.parse(at('setup').textContent)
const token = at('token'), namespace = at('namespace'), query = at('query'), variables = at('variables'), result = at('result')
token.value = sessionStorage.getItem('alidade.token') || ''

function headers() {
  const all = { 'content-type': 'application/json' }
  if (token.value.trim()) all.authorization = 'Bearer ' + token.value.trim()
  if (namespace.value.trim()) all['x-namespace-id'] = namespace.value.trim()
  return all
}
async function send(body) {
  const began = performance.now()
  const response = await fetch(path, { method: 'POST', headers: headers(), body: JSON.stringify(body) })
  const text = await response.text()
  at('status').textContent = response.status + ' in ' + Math.round(performance.now() - began) + ' ms, ' + text.length + ' bytes'
  return text
}
// what is not JSON is shown unchanged
const pretty = text => { try { return JSON.stringify(JSON.parse(text), null, 2) } catch { return text } }
async function run() {
  let values
  try { values = variables.value.trim() ? JSON.parse(variables.value) : {} } catch (error) { result.textContent = 'Variables are not JSON: ' + error.message; return }
  sessionStorage.setItem('alidade.token', token.value.trim())
  at('status').textContent = 'running'
  try { result.textContent = pretty(await send({ query: query.value, variables: values })) } catch (error) { result.textContent = String(error) }
}
function show(example) {
  query.value = example.query
  variables.value = JSON.stringify(example.variables, null, 2)
}
const typeText = type => type.kind === 'NON_NULL' ? typeText(type.ofType) + '!' : type.kind === 'LIST' ? '[' + typeText(type.ofType) + ']' : type.name
const argText = arg => arg.name + ': ' + typeText(arg.type) + (arg.defaultValue == null ? '' : ' = ' + arg.defaultValue)
function line(parent, tag, text) { const element = document.createElement(tag); element.textContent = text; parent.append(element); return element }
function showType(type) {
  const box = document.createElement('details')
  line(box, 'summary', type.name)
  if (type.description) line(box, 'p', type.description)
  for (const field of type.fields || []) {
    line(box, 'code', field.name + (field.args.length ? '(' + field.args.map(argText).join(', ') + ')' : '') + ': ' + typeText(field.type))
    if (field.description) line(box, 'p', field.description)
  }
  for (const field of type.inputFields || []) line(box, 'code', argText(field))
  for (const value of type.enumValues || []) line(box, 'code', value.name)
  box.dataset.text = box.textContent.toLowerCase()
  return box
}
// A required matrix of required values is five types around one.
const REF = 'name kind' + ' ofType { name kind'.repeat(5) + ' }'.repeat(5)
const SCHEMA = '{ __schema { types { name description kind fields { name description args { name defaultValue type { ' + REF + ' } } type { ' + REF + ' } } inputFields { name defaultValue type { ' + REF + ' } } enumValues { name } } } }'
async function loadSchema() {
  const list = at('schema')
  list.textContent = ''
  const response = JSON.parse(await send({ query: SCHEMA }))
  if (!response.data) { line(list, 'p', response.errors.map(error => error.message).join('; ')); return }
  const rank = type => ({ Query: 0, Mutation: 1, Subscription: 2 })[type.name] ?? 3
  const types = response.data.__schema.types.filter(type => !type.name.startsWith('__'))
  types.sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name))
  for (const type of types) list.append(showType(type))
}
async function signIn(event) {
  event.preventDefault()
  const response = await fetch(login, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ email: at('email').value, password: at('password').value }) })
  const body = await response.json()
  at('status').textContent = response.ok ? 'signed in to ' + body.namespace.name : body.detail
  if (!response.ok) return
  at('password').value = ''
  token.value = body.access_token
  sessionStorage.setItem('alidade.token', token.value)
  await loadSchema()
}
for (const example of examples) line(at('examples'), 'option', example.title)
at('examples').addEventListener('change', () => show(examples[at('examples').selectedIndex]))
at('run').addEventListener('click', run)
at('load').addEventListener('click', () => loadSchema().catch(error => { at('status').textContent = String(error) }))
at('login').addEventListener('submit', event => { signIn(event).catch(error => { at('status').textContent = String(error) }) })
at('filter').addEventListener('input', () => {
  const searched = at('filter').value.toLowerCase()
  for (const box of at('schema').children) box.hidden = !(box.dataset.text || '').includes(searched)
})
document.addEventListener('keydown', event => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) { event.preventDefault(); run() } })
show(examples[0])
if (token.value) loadSchema().catch(() => undefined) // the token of an earlier visit may have expired
`
