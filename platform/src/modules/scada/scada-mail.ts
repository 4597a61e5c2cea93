import type { Lang } from '@busbar/contract'

/** The contents of an answer. */
export interface ScadaAnswer {
  readonly ticketNo: string
  readonly company: string
  readonly approved: boolean
  /** The operator's answer: plain text with line breaks. */
  readonly answer: string
  /** The brand's name. */
  readonly platform: string
}

interface Words {
  readonly subject: (answer: ScadaAnswer) => string
  readonly greeting: (company: string) => string
  readonly verdict: (answer: ScadaAnswer) => string
  readonly closing: string
}

const words: Readonly<Record<Lang, Words>> = {
  cn: {
    subject: ({ ticketNo, platform }) => `【${platform}】SCADA 注册申请 ${ticketNo} 处理结果`,
    greeting: (company) => `${company}，您好：`,
    verdict: ({ ticketNo, approved }) =>
      approved
        ? `您的 SCADA 注册申请（${ticketNo}）已通过。`
        : `很抱歉，您的 SCADA 注册申请（${ticketNo}）未通过。`,
    closing: '此邮件由系统自动发送。',
  },
  en: {
    subject: ({ ticketNo, platform }) => `${platform}: answer to your SCADA request ${ticketNo}`,
    greeting: (company) => `To ${company},`,
    verdict: ({ ticketNo, approved }) =>
      approved
        ? `Your request ${ticketNo} to register a SCADA computer has been approved.`
        : `We’re sorry, your request ${ticketNo} to register a SCADA computer was declined.`,
    closing: 'This e-mail was sent automatically.',
  },
}

/** The e-mail that answers a request, as text and as HTML; people's words are plain text in both. */
export function writeScadaMail(
  answer: ScadaAnswer,
  lang: Lang,
): { subject: string; text: string; html: string } {
  const t = words[lang]
  const parts = [t.greeting(answer.company), t.verdict(answer), answer.answer, answer.platform]
  return {
    subject: t.subject(answer),
    text: `${[...parts, t.closing].join('\n\n')}\n`,
    html: [
      '<div style="max-width:560px;margin:0 auto;padding:24px;font:15px/1.6 system-ui,sans-serif;color:#151a22">',
      ...parts.map((part) => `<p>${escapeHtml(part).replace(/\r?\n/g, '<br>')}</p>`),
      `<p style="color:#646e7e;font-size:13px">${escapeHtml(t.closing)}</p></div>`,
    ].join('\n'),
  }
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
