/** Style of the sandbox page; system fonts and colors, light and dark. */
export const SANDBOX_STYLE = `
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
