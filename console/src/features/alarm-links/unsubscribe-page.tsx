import { alarmContacts } from '@busbar/contract'
import { call } from '../../shared/api/client.ts'
import { useAlarmLinksText } from './alarm-links-text.ts'
import { LinkFrame } from './link-frame.tsx'
import { useLink } from './use-link.ts'

/** A contact leaves somebody's alarms, or a person switches the e-mails to their account off. */
export function UnsubscribePage({ token }: { token: string }) {
  const texts = useAlarmLinksText()
  const link = useLink({
    load: (signal) => call(alarmContacts.getUnsubscribe, { token }, { silent: true, signal }),
    act: () => call(alarmContacts.unsubscribe, { token }, { silent: true }),
  })
  const { about = 'alarms', from = '', emailMasked = '', left: isDone = false } = link.shown ?? {}
  const t = texts.unsubscribe[about]
  return (
    <LinkFrame
      link={link}
      isDone={isDone}
      title={isDone ? t.doneTitle : t.title}
      lead={(isDone ? t.doneBody : t.lead)(from, emailMasked || texts.thisAddress)}
      submit={isDone ? undefined : t.submit}
      hint={t.hint}
    />
  )
}
