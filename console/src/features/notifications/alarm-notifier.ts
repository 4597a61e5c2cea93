import type { Lang } from '@busbar/contract'
import type { AlarmEvent } from '../../shared/api/push-messages.ts'
import type { Speaker } from './speaker.ts'

/** The person's settings for spoken alarms and notifications. */
export interface NotifierChoice {
  readonly voice: 0 | 1
  readonly browser: 0 | 1
}

/** The parts of page and browser that telling needs. */
export interface NotifierPlace {
  readChoice(): Promise<NotifierChoice>
  lang(): Lang
  readonly speaker: Speaker | undefined
  /** The page is in the background. */
  isHidden(): boolean
  /** Shows a notification of the browser, if the person has allowed them. */
  show(event: AlarmEvent): void
}

export interface AlarmNotifier {
  notify(event: AlarmEvent): Promise<void>
  stop(): void
}

/** Speaks critical alarms and shows notifications, if the person turned it on; stays silent once stopped. */
export function createAlarmNotifier(place: NotifierPlace): AlarmNotifier {
  let isOver = false
  return {
    async notify(event) {
      const choice = await place.readChoice().catch(() => undefined)
      // The session may have ended in the meantime.
      if (isOver || !choice) return
      if (event.isSpoken) {
        if (choice.voice === 1) place.speaker?.say(event.text, place.lang())
      } else if (choice.browser === 1 && place.isHidden()) place.show(event)
    },
    stop() {
      isOver = true
      place.speaker?.stop()
    },
  }
}
