import { alarmContacts } from '@busbar/contract'
import { call } from '../../shared/api/client.ts'
import { useAlarmLinksText } from './alarm-links-text.ts'
import { LinkFrame } from './link-frame.tsx'
import { useLink } from './use-link.ts'

/** A contact agrees to get alarms by e-mail, or a person somebody's reports. */
export function ContactLinkPage({ token }: { token: string }) {
  const texts = useAlarmLinksText()
  const link = useLink({
    load: (signal) => call(alarmContacts.getContactRequest, { token }, { silent: true, signal }),
    act: () => call(alarmContacts.confirmContact, { token }, { silent: true }),
  })
  const { about = 'alarms', from = '', emailMasked = '', confirmed: isDone = false } = link.shown ?? {}
  const t = texts.contact[about]
  return (
    <LinkFrame
      link={link}
      isDone={isDone}
      title={isDone ? t.doneTitle : t.title}
      lead={(isDone ? t.doneBody : t.lead)(from, emailMasked || texts.yourAddress)}
      submit={isDone ? undefined : t.submit}
      {...(isDone ? {} : { hint: t.hint })}
    />
  )
}
