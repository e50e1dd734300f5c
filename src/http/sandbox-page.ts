import { createHash } from 'node:crypto'
import { SANDBOX_EXAMPLES } from './sandbox-examples.js'
import { SANDBOX_SCRIPT } from './sandbox-script.js'

/** Style of the sandbox page; system fonts and colors, light and dark. */
const SANDBOX_STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, CanvasText 18%, Canvas); --soft: color-mix(in srgb, CanvasText 5%, Canvas); --accent: #2f6fde }
* { box-sizing: border-box }
body { margin: 0; font: 14px/1.45 system-ui, sans-serif; background: Canvas; color: CanvasText; height: 100vh; display: grid; grid-template-rows: auto 1fr }
header { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; padding: 8px 12px; border-bottom: 1px solid var(--line) }
header h1 { font-size: 15px; margin: 0 12px 0 0 }
main { display: grid; grid-template-columns: minmax(280px, 1fr) minmax(280px, 1fr) minmax(220px, 320px); min-height: 0 }
section { display: flex; flex-direction: column; min-height: 0; min-width: 0; border-right: 1px solid var(--line) }
section:last-child { border-right: 0 }
h2 { font-size: 12px; font-weight: 600; margin: 0; padding: 6px 12px; background: var(--soft); border-bottom: 1px solid var(--line) }
textarea, pre, code { font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
textarea { border: 0; padding: 10px 12px; resize: none; background: Canvas; color: CanvasText; outline: none }
#query { flex: 3 } #variables { flex: 1; min-height: 90px }
pre { margin: 0; padding: 10px 12px; overflow: auto; flex: 1; white-space: pre-wrap; overflow-wrap: anywhere }
input, select, button { font: inherit; padding: 4px 8px; border: 1px solid var(--line); border-radius: 4px; background: Canvas; color: CanvasText; min-width: 0 }
button { cursor: pointer } button.primary { background: var(--accent); border-color: var(--accent); color: #fff; font-weight: 600 }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px }
#status { margin-left: auto; opacity: .75 }
#filter { margin: 8px 12px } #schema { overflow: auto; padding: 0 12px 12px }
details { border-bottom: 1px solid var(--line); padding: 3px 0 } summary { cursor: pointer; font-weight: 600 }
#schema code { display: block; padding-left: 14px; overflow-wrap: anywhere } #schema p { margin: 2px 0 4px 14px; opacity: .75; font-size: 12px }
@media (max-width: 900px) { body { height: auto } main { grid-template-columns: 1fr } section { min-height: 320px; border-right: 0 } }
`

/** The page that a browser gets at the path of GraphQL, with its headers. */
export interface SandboxReply {
  readonly headers: Readonly<Record<string, string>>
  readonly html: string
}

const LOGIN_PATH = '/api/v1/auth/login'

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

// Only this script and this style run, and they reach this server alone.
function contentPolicy(): string {
  return [
    "default-src 'none'",
    `script-src ${hashSource(SANDBOX_SCRIPT)}`,
    `style-src ${hashSource(SANDBOX_STYLE)}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join('; ')
}

function body(setup: string): string {
  return `<header>
<h1>Alidade GraphQL</h1>
<select id="examples" aria-label="Example queries"></select>
<button id="run" class="primary" title="Ctrl+Enter">Run</button>
<input id="token" type="password" placeholder="Access token or query key" aria-label="Access token or query key" autocomplete="off">
<input id="namespace" placeholder="Namespace (optional)" aria-label="Namespace">
<form id="login"><input id="email" type="email" placeholder="E-mail" aria-label="E-mail" autocomplete="username" required>
<input id="password" type="password" placeholder="Password" aria-label="Password" autocomplete="current-password" required>
<button>Sign in</button></form>
<span id="status" role="status"></span>
</header>
<main>
<section><h2>Query</h2><textarea id="query" spellcheck="false" aria-label="Query"></textarea>
<h2>Variables</h2><textarea id="variables" spellcheck="false" aria-label="Variables"></textarea></section>
<section><h2>Response</h2><pre id="result" tabindex="0" aria-live="polite"></pre></section>
<section><h2>Schema</h2><input id="filter" type="search" placeholder="Find a type or field" aria-label="Find a type or field">
<button id="load">Load schema</button><div id="schema"></div></section>
</main>
<script type="application/json" id="setup">${setup}</script>`
}

/** A page without external resources: it works offline, and sends no request to third parties. */
export function sandboxReply(path: string): SandboxReply {
  const setup = JSON.stringify({ path, login: LOGIN_PATH, examples: SANDBOX_EXAMPLES }).replaceAll('<', '\\u003c')
  return {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentPolicy(),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer'
    },
    html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Alidade GraphQL</title><style>${SANDBOX_STYLE}</style></head>
<body>${body(setup)}<script>${SANDBOX_SCRIPT}</script></body></html>
`
  }
}
