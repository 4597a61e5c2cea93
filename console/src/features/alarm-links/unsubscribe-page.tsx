import { alarmContacts } from '@busbar/contract'
import { call } from '../../shared/api/client.ts'
import { useAlarmLinksText } from './alarm-links-text.ts'
import { LinkFrame } from './link-frame.tsx'
import { useLink } from './use-link.ts'

/** A contact unsubscribes: the address gets no further alarms. */
export function UnsubscribePage({ token }: { token: string }) {
  const t = useAlarmLinksText().unsubscribe
  const link = useLink({
    load: (signal) => call(alarmContacts.getUnsubscribe, { token }, { silent: true, signal }),
    act: () => call(alarmContacts.unsubscribe, { token }, { silent: true }),
  })
  const { from = '', emailMasked = '', left: isDone = false } = link.shown ?? {}
  return (
    <LinkFrame
      link={link}
      isDone={isDone}
      title={isDone ? t.doneTitle : t.title}
      lead={(isDone ? t.doneBody : t.lead)(from, emailMasked)}
      submit={isDone ? undefined : t.submit}
      hint={t.hint}
    />
  )
}
