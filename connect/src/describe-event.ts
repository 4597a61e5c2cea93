import type { ConnectEvent, Lang } from './model.ts'
import type { Texts } from './texts/index.ts'

/** Hours and minutes here. */
export const formatTime = (at: number, lang: Lang): string =>
  new Date(at).toLocaleTimeString(lang === 'cn' ? 'zh-CN' : 'en-GB', { hour: '2-digit', minute: '2-digit' })

/** One line for a person. */
export function describeEvent(event: ConnectEvent, t: Texts, lang: Lang): string {
  switch (event.event) {
    case 'visit':
      return t.visitOpened(event.machine, t.modes[event.mode], formatTime(event.until, lang))
    case 'address':
      return t.addressAdded(event.address)
    case 'listening':
      return t.listening(event.target, event.address)
    case 'opened':
      return t.opened(event.target, event.stream)
    case 'lineLost':
      return t.lineLost(event.target, event.stream)
    case 'lineBack':
      return t.lineBack(event.target, event.stream, (event.pausedMs / 1_000).toFixed(1))
    case 'closed':
      return t.closed(event.target, event.stream, withDetail(t.closeReasons[event.reason], event.detail))
    case 'ended':
      return t.ended(event.target, withDetail(t.endReasons[event.reason], event.detail))
    case 'warning':
      return (event.reason === 'idle' ? t.warnIdle : t.warnTimeUp)(formatTime(event.at, lang))
    case 'control':
      return describeControl(event, t)
  }
}

export function describeControl(control: { isMine: boolean; who: string }, t: Texts): string {
  if (control.isMine) return t.controlMine
  return control.who ? t.controlOf(control.who) : t.controlFree
}

const withDetail = (reason: string, detail: string): string => (detail ? `${reason} (${detail})` : reason)
