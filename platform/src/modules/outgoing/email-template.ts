import type { Lang } from '@busbar/contract'

/** The contents of an e-mail; every text is plain, and the template makes the markup. */
export interface EmailContent {
  readonly lang: Lang
  /** Stands at the top, and in the line under the text. */
  readonly brandName: string
  /** Absolute; without one only the name is shown. */
  readonly logoUrl?: string | undefined
  /** `#rrggbb` of the brand; without one the product's own. */
  readonly accent?: string | undefined
  readonly title: string
  readonly paragraphs: readonly string[]
  /** Set apart and large, to be read and typed. */
  readonly code?: string | undefined
  /** Stands in the last line: the page on which the reader ends such mails. */
  readonly unsubscribeUrl?: string | undefined
}

const ownAccent = '#0b63ce'
const font =
  "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'PingFang SC','Microsoft YaHei','Noto Sans CJK SC',sans-serif"
const footers = {
  cn: (brand: string) => `此邮件由${brand}自动发送，请勿回复。`,
  en: (brand: string) => `This e-mail was sent automatically by ${brand}. Replies aren’t read.`,
} as const
const leaving = { cn: '退订：', en: 'Unsubscribe: ' } as const

/** The text and HTML of an e-mail: one column, no picture but the logo, nothing fetched beside it. */
export function formatEmail(content: EmailContent): { text: string; html: string } {
  const { lang, unsubscribeUrl } = content
  const footer = [
    footers[lang](content.brandName),
    ...(unsubscribeUrl ? [`${leaving[lang]}${unsubscribeUrl}`] : []),
  ]
  const lines = [
    content.title,
    ...content.paragraphs.slice(0, 1),
    ...(content.code ? [`    ${content.code}`] : []),
    ...content.paragraphs.slice(1),
    ['--', content.brandName, ...footer].join('\n'),
  ]
  return { text: `${lines.join('\n\n')}\n`, html: formatHtml(content, footer) }
}

function formatHtml(content: EmailContent, footer: readonly string[]): string {
  const brand = escapeMarkup(content.brandName)
  const accent = content.accent || ownAccent
  const head = content.logoUrl
    ? `<img src="${escapeMarkup(content.logoUrl)}" alt="${brand}" height="32" style="display:block;height:32px;border:0">`
    : `<span style="font-size:18px;font-weight:600;color:${accent}">${brand}</span>`
  const paragraph = (text: string) => `<p style="margin:0 0 16px">${escapeMarkup(text)}</p>`
  const code = content.code
    ? `<p style="margin:0 0 16px;padding:16px;background:#f2f4f7;border-radius:8px;text-align:center;font:600 28px/1.2 ui-monospace,Menlo,Consolas,monospace;letter-spacing:8px">${escapeMarkup(content.code)}</p>`
    : ''
  return `<!doctype html>
<html lang="${content.lang === 'cn' ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeMarkup(content.title)}</title>
</head>
<body style="margin:0;padding:24px 12px;background:#f2f4f7">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0"><tr><td align="center">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="max-width:520px;background:#ffffff;border-radius:12px">
<tr><td style="padding:24px 32px;border-bottom:3px solid ${accent}">${head}</td></tr>
<tr><td style="padding:32px;font:16px/1.6 ${font};color:#1d2733">
<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${escapeMarkup(content.title)}</h1>
${content.paragraphs.slice(0, 1).map(paragraph).join('')}${code}${content.paragraphs.slice(1).map(paragraph).join('')}
</td></tr>
<tr><td style="padding:16px 32px 24px;font:13px/1.5 ${font};color:#5b6775">${footer.map(escapeMarkup).join('<br>')}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`
}

/** Escapes a text for markup and its attributes. */
function escapeMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
