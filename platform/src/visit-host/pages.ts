import type { Lang } from '@busbar/contract'

/** A button of a page, with its address; the first is the main one. */
export interface PageAction {
  readonly label: string
  readonly href: string
  /** Pressing it posts to the address. */
  readonly posts?: boolean
}

/** A line with machine code, page and path, in a monospaced font. */
export interface PageFact {
  readonly label: string
  readonly value: string
}

export interface Page {
  readonly lang: Lang
  readonly brand: string
  readonly title: string
  readonly text: string
  /** The machine's code, or another detail that identifies the thing. */
  readonly detail?: string | undefined
  readonly facts?: readonly PageFact[] | undefined
  readonly actions: readonly PageAction[]
}

/** Without scripts, loads and framing. */
const pagePolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** Headers of every page and text of the visit host's own. */
export const ownHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': pagePolicy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'cache-control': 'no-store',
}

/** Headers of a page that other pages may frame, by a policy of its own. */
export function frameHeaders(policy: string): Record<string, string> {
  const { 'x-frame-options': _, ...kept } = ownHeaders
  return { ...kept, 'content-security-policy': policy }
}

/** Headers of a page without a button within a frame: there is nothing to press in it. */
export const wordHeaders = frameHeaders(pagePolicy.replace("; frame-ancestors 'none'", ''))

/**
 * Headers of a page with a button that posts: the answer may lead to `formOrigin`, and browsers without Sec-Fetch-Site
 * send the origin of the click.
 */
export const formHeaders = (formOrigin: string): Readonly<Record<string, string>> => ({
  ...ownHeaders,
  'content-security-policy': pagePolicy.replace("form-action 'self'", `form-action 'self' ${formOrigin}`),
  'referrer-policy': 'same-origin',
})

/** A whole small HTML page; every text is escaped here. */
export function renderPage(page: Page): string {
  const actions = page.actions
    .map((action, at) => renderAction(action, at === 0 ? 'solid' : 'plain'))
    .join('')
  const facts = (page.facts ?? [])
    .map(({ label, value }) => `<div><dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd></div>`)
    .join('')
  return `<!doctype html>
<html lang="${page.lang === 'cn' ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(page.title)} · ${escapeHtml(page.brand)}</title>
<style>${pageStyle}</style>
</head>
<body>
<main>
<p class="brand"><i></i>${escapeHtml(page.brand)}</p>
<h1>${escapeHtml(page.title)}</h1>
<p>${escapeHtml(page.text)}</p>
${page.detail ? `<p class="detail">${escapeHtml(page.detail)}</p>` : ''}
${facts ? `<dl>${facts}</dl>` : ''}
${actions ? `<nav>${actions}</nav>` : ''}
</main>
</body>
</html>
`
}

function renderAction({ label, href, posts }: PageAction, look: 'solid' | 'plain'): string {
  const [address, text] = [escapeHtml(href), escapeHtml(label)]
  if (!posts) return `<a class="${look}" href="${address}">${text}</a>`
  return `<form method="post" action="${address}"><button class="${look}">${text}</button></form>`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? '')

/** The console's colours (console/src/shared/ui/tokens.json), light and dark. */
export const pageStyle = `
:root{--app:#F4F5F7;--surface:#FFFFFF;--line:#E4E7EC;--strong:#D0D5DE;--text:#151A22;--text2:#464F5D;--text3:#646E7E;--accentText:#FFFFFF;--hover:#F3F5F8;--accent:#2A5BE0;--shadow:0 1px 2px rgb(16 24 40/.04),0 12px 32px -8px rgb(16 24 40/.18)}
@media (prefers-color-scheme:dark){:root{--app:#0A0D12;--surface:#11151C;--line:#212833;--strong:#323B4A;--text:#E7EAF0;--text2:#AEB7C4;--text3:#8691A1;--accentText:#11151C;--hover:#181E28;--accent:#7396FF;--shadow:0 0 0 1px rgb(255 255 255/.05),0 16px 40px -8px rgb(0 0 0/.65)}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px;background:var(--app);color:var(--text);font:15px/1.6 system-ui,-apple-system,"Segoe UI","PingFang SC","Microsoft YaHei","Noto Sans SC",sans-serif}
main{width:100%;max-width:440px;padding:32px;background:var(--surface);border:1px solid var(--line);border-radius:12px;box-shadow:var(--shadow);overflow-wrap:anywhere}
p{margin:0;color:var(--text2)}
.brand{display:flex;align-items:center;gap:8px;margin-bottom:28px;color:var(--text3);font-size:13px;font-weight:500}
.brand i{width:14px;height:8px;border:solid var(--text3);border-width:2px 0}
h1{margin:0 0 8px;font-size:20px;line-height:1.35;font-weight:600}
.detail{margin-top:12px;color:var(--text3);font-size:13px;font-variant-numeric:tabular-nums}
nav{display:flex;flex-wrap:wrap;gap:8px;margin-top:28px}
dl{margin:20px 0 0;border-top:1px solid var(--line)}
dl div{display:flex;flex-wrap:wrap;gap:0 16px;justify-content:space-between;padding:8px 0;border-bottom:1px solid var(--line);font-size:14px}
dt{flex:none;color:var(--text3)}
dd{margin:0 0 0 auto;text-align:right;font:13px/1.7 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
nav a,nav button{display:block;padding:7px 14px;border-radius:7px;border:1px solid var(--strong);background:none;color:var(--text);font:inherit;font-size:14px;font-weight:500;text-decoration:none;cursor:pointer}
nav a:hover{background:var(--hover)}
nav .solid,nav a.solid:hover{background:var(--accent);border-color:var(--accent);color:var(--accentText)}
nav .solid:hover{opacity:.9}
nav :focus-visible{outline:2px solid var(--accent);outline-offset:2px}
@media (max-width:480px){body{place-items:start center}main{padding:24px}nav a,nav form{flex:1 0 auto;text-align:center}nav button{width:100%}}
`
