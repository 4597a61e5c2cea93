import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useText } from '../../../shared/i18n/index.ts'
import { personQuery } from '../../../shared/session/account-queries.ts'
import { SettingPanel, SettingRow } from '../../../shared/ui/fields/setting-row.tsx'
import { Switch } from '../../../shared/ui/switch.tsx'
import { useAct } from '../../../shared/ui/use-act.ts'
import { notificationsKey } from '../notification-queries.ts'
import css from '../notifications.module.css'
import type { SpaceConfig, SpaceFields } from './space-config.ts'

interface ConfigProps {
  config: SpaceConfig
  isLocked: boolean
}

/** The field of a person's address for each way of sending, and the page that sets it. */
const addresses = {
  sms: { field: 'phone', page: '/modifyPhone' },
  email: { field: 'email', page: '/modifyEmail' },
} as const

/** SMS and e-mails as a whole: on or off. */
export function SendingSwitches({ config, isLocked }: ConfigProps) {
  const t = useText().notifications.settings
  const { data: person } = useQuery({ ...personQuery, enabled: !config.isEnterprise })
  const { mutate } = useAct({
    call: (change: Partial<SpaceFields>) => config.save(change),
    done: t.saved,
    touched: [notificationsKey],
  })
  const hints = {
    sms: { own: t.smsHint, missing: t.smsMissing, enterprise: t.enterpriseSmsHint },
    email: { own: t.emailHint, missing: t.emailMissing, enterprise: t.enterpriseEmailHint },
  }
  return (
    <SettingPanel title={t.sending}>
      {(['sms', 'email'] as const).map((way) => {
        const { field, page } = addresses[way]
        const isMissing = person?.[field] === ''
        const { own, missing, enterprise } = hints[way]
        return (
          <SettingRow
            key={way}
            name={t[way]}
            hint={config.isEnterprise ? enterprise : isMissing ? missing : own}
          >
            {isMissing && (
              <Link to={page} className={css.add}>
                {t.addAddress}
                <span className="sr-only">{t[way]}</span>
              </Link>
            )}
            <Switch
              label={t[way]}
              checked={config[way]}
              disabled={isLocked}
              reason={isLocked ? t.readOnly : undefined}
              onChange={(isOn) => mutate({ [way]: isOn })}
            />
          </SettingRow>
        )
      })}
    </SettingPanel>
  )
}
