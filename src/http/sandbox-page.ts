import { createHash } from 'node:crypto'
import { SANDBOX_EXAMPLES } from './sandbox-examples.js'
import { SANDBOX_SCRIPT } from './sandbox-script.js'
import { SANDBOX_STYLE } from './sandbox-style.js'

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
<section><h2>Answer</h2><pre id="result" tabindex="0" aria-live="polite"></pre></section>
<section><h2>Schema</h2><input id="filter" type="search" placeholder="Find a type or field" aria-label="Find a type or field">
<button id="load">Load schema</button><div id="schema"></div></section>
</main>
<script type="application/json" id="setup">${setup}</script>`
}

/** A page without anything from elsewhere: it works where there is no internet, and tells nobody that it was opened. */
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
