import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { AlarmCentre } from '../../entities/alarm/alarm-centre.tsx'
import { useText } from '../../shared/i18n/index.ts'
import type { PageSpace } from '../../shared/session/page-space.ts'
import { ToggleGroup } from '../../shared/ui/toggle-group/toggle-group.tsx'
import { EmailPart } from './email/email-part.tsx'
import { EscalationPart } from './escalation/escalation-part.tsx'
import css from './notifications.module.css'
import { type NotificationPart, notificationParts } from './search.ts'
import { SettingsPart } from './settings/settings-part.tsx'
import { SmsPart } from './sms/sms-part.tsx'
import { WaysLine } from './ways-line.tsx'

const parts: Record<NotificationPart, (props: { space: PageSpace }) => ReactNode> = {
  sms: SmsPart,
  email: EmailPart,
  escalation: EscalationPart,
  settings: SettingsPart,
}

/** How the alarms of a space are sent: by SMS, by e-mail, and when. */
export function NotificationsPage(): ReactNode {
  return <AlarmCentre tab="notifications">{(space) => <PartsOfSpace space={space} />}</AlarmCentre>
}

function PartsOfSpace({ space }: { space: PageSpace }) {
  const t = useText().notifications.parts
  const { part = 'sms' } = useSearch({ from: '/shell/alarmCenter/notifications' })
  const navigate = useNavigate()
  const Part = parts[part]
  return (
    <div className={css.page}>
      <WaysLine space={space} />
      <ToggleGroup
        label={t.label}
        value={part}
        onChange={(wished) =>
          void navigate({
            to: '/alarmCenter/notifications',
            search: ({ eid }) => ({ ...(eid === undefined ? {} : { eid }), part: wished }),
            replace: true,
          })
        }
        options={notificationParts.map((value) => ({ value, label: t[value] }))}
      />
      <Part space={space} />
    </div>
  )
}
