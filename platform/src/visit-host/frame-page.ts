import type { Lang } from '@busbar/contract'
import { escapeHtml, frameHeaders, pageStyle } from './pages.ts'

/** The page around a machine's page in a project's portal: it shows the mode and the end, and says why it is over. */
export interface FramePage {
  readonly lang: Lang
  /** Leads another tab into the same visit, where a browser keeps no cookie in a frame. */
  readonly tabUrl: string
  readonly framedBy: readonly string[]
}

const texts = {
  cn: {
    title: '设备画面',
    ro: '只读',
    rw: '可操作',
    until: '访问到期',
    away: '连接中断，正在重试…',
    cookieTitle: '浏览器不允许在嵌入页面中保持登录',
    cookieText: '请在新标签页中打开设备画面。链接 60 秒内有效，超时请刷新所在网页。',
    open: '在新标签页打开',
  },
  en: {
    title: 'Device page',
    ro: 'Read-only',
    rw: 'Read-write',
    until: 'Ends at',
    away: 'The connection was lost. Trying again…',
    cookieTitle: 'This browser keeps no sign-in in a frame',
    cookieText:
      'Open the device in a tab of its own. The link is valid for 60 seconds; after that, reload the page around it.',
    open: 'Open in a tab',
  },
} as const satisfies Record<Lang, object>

/** Addresses of the page's own parts. */
export const framePaths = {
  page: '/.busbar/frame',
  script: '/.busbar/frame.js',
  state: '/.busbar/frame/state',
} as const

/** Headers of the page: its own script, the machine's page in it, and the listed pages around it. */
export const framePageHeaders = ({ framedBy }: FramePage): Record<string, string> =>
  frameHeaders(
    [
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "frame-src 'self'",
      "style-src 'unsafe-inline'",
      "base-uri 'none'",
      "form-action 'none'",
      ['frame-ancestors', "'self'", ...framedBy].join(' '),
    ].join('; '),
  )

export function renderFramePage({ lang, tabUrl }: FramePage): string {
  const t = texts[lang]
  return `<!doctype html>
<html lang="${lang === 'cn' ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${t.title}</title>
<style>${pageStyle}${style}</style>
<script src="${framePaths.script}" defer></script>
</head>
<body class="frame" data-ro="${t.ro}" data-rw="${t.rw}" data-until="${t.until}" data-away="${t.away}"
 data-lang="${lang === 'cn' ? 'zh-CN' : 'en'}">
<header id="state"><span id="mode"></span><span id="until"></span></header>
<section id="page"></section>
<main id="over" role="alert" hidden><h1></h1><p></p></main>
<main id="cookies" hidden><h1>${t.cookieTitle}</h1><p>${t.cookieText}</p>
<nav><a class="solid" target="_blank" rel="noopener" href="${escapeHtml(tabUrl)}">${t.open}</a></nav></main>
</body>
</html>
`
}

const style = `
body.frame{display:flex;flex-direction:column;gap:0;padding:0;place-items:stretch}
.frame header{display:flex;flex-wrap:wrap;gap:0 12px;padding:4px 12px;border-bottom:1px solid var(--line);background:var(--surface);color:var(--text2);font-size:12px;line-height:20px}
.frame header[hidden]{display:none}
.frame section{flex:1;display:flex;min-height:0}
.frame section[hidden],.frame main[hidden]{display:none}
.frame iframe{flex:1;width:100%;border:0;background:#fff}
.frame main{margin:auto}
`

/**
 * The page's script: it follows the state of the visit on a line that stays open, so that an end shows at once, and shows
 * the machine's page once the cookie has come back.
 */
export const frameScript = `'use strict'
const { body } = document
const at = (id) => document.getElementById(id)
const part = { state: at('state'), mode: at('mode'), until: at('until'), page: at('page'), over: at('over'), cookies: at('cookies') }
function showPage() {
  if (part.page.firstChild) return
  // The machine's page could read the link from here, and lead another browser into the visit.
  part.cookies.querySelector('nav')?.remove()
  const frame = document.createElement('iframe')
  frame.src = '/'
  part.page.append(frame)
}
function leavePage(shown) {
  part.page.replaceChildren()
  part.page.hidden = true
  part.state.hidden = true
  shown.hidden = false
}
function take(told) {
  if (told.ended) {
    part.over.querySelector('h1').textContent = told.title
    part.over.querySelector('p').textContent = told.text
    leavePage(part.over)
    return true
  }
  if (told.mode) {
    const time = new Intl.DateTimeFormat(body.dataset.lang, { hour: '2-digit', minute: '2-digit' })
    part.mode.textContent = body.dataset[told.mode]
    part.until.textContent = body.dataset.until + ' ' + time.format(told.until)
    showPage()
  }
  return false
}
async function follow() {
  const answer = await fetch('${framePaths.state}', { cache: 'no-store' })
  if (answer.status === 401) {
    leavePage(part.cookies)
    return true
  }
  if (answer.status !== 200) throw new Error(String(answer.status))
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
  let left = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return false
    const lines = (left + value).split('\\n')
    left = lines.pop()
    for (const line of lines) if (line !== '' && take(JSON.parse(line))) return true
  }
}
async function run() {
  let waitMs = 0
  for (;;) {
    const begunAt = Date.now()
    const isOver = await follow().catch(() => {
      part.mode.textContent = body.dataset.away
      part.until.textContent = ''
      return false
    })
    if (isOver) return
    waitMs = Date.now() - begunAt > 5000 ? 100 : Math.min(waitMs * 2 + 100, 3000)
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}
void run()
`
