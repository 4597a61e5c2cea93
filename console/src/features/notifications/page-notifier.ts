import type { QueryClient } from '@tanstack/react-query'
import type { AlarmEvent } from '../../shared/api/push-messages.ts'
import { getLang } from '../../shared/i18n/index.ts'
import { type AlarmNotifier, createAlarmNotifier } from './alarm-notifier.ts'
import { userConfigQuery } from './notification-queries.ts'
import { createSpeaker } from './speaker.ts'

/** A notifier for this page; `open` shows an alarm where its notification is pressed. */
export function createPageNotifier(client: QueryClient, open: (alarmId: number) => void): AlarmNotifier {
  return createAlarmNotifier({
    readChoice: () => client.fetchQuery({ ...userConfigQuery({}), staleTime: 30_000 }),
    lang: getLang,
    speaker: 'speechSynthesis' in window ? createSpeaker(speechSynthesis) : undefined,
    isHidden: () => document.hidden,
    show: (event) => showNotification(event, open),
  })
}

/** One for each alarm: a later one replaces it, also that of another tab. */
function showNotification({ alarmId, text }: AlarmEvent, open: (alarmId: number) => void) {
  if (!('Notification' in window) || Notification.permission !== 'granted') return
  const notification = new Notification(text, { tag: `alarm-${alarmId}` })
  notification.onclick = () => {
    window.focus()
    open(alarmId)
    notification.close()
  }
}
