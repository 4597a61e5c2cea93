import { useText } from '../../../shared/i18n/index.ts'
import { SettingPanel, SettingRow } from '../../../shared/ui/fields/setting-row.tsx'
import { Switch } from '../../../shared/ui/switch.tsx'
import { useAct } from '../../../shared/ui/use-act.ts'
import { notificationsKey } from '../notification-queries.ts'
import type { SpaceConfig, SpaceFields } from './space-config.ts'

interface ConfigProps {
  config: SpaceConfig
  isLocked: boolean
}

/** SMS and e-mails as a whole: on or off. */
export function SendingSwitches({ config, isLocked }: ConfigProps) {
  const t = useText().notifications.settings
  const { mutate } = useAct({
    call: (change: Partial<SpaceFields>) => config.save(change),
    done: t.saved,
    touched: [notificationsKey],
  })
  const reason = isLocked ? t.readOnly : undefined
  return (
    <SettingPanel title={t.sending}>
      <SettingRow name={t.sms} hint={config.isEnterprise ? t.enterpriseSmsHint : t.smsHint}>
        <Switch
          label={t.sms}
          checked={config.sms}
          disabled={isLocked}
          reason={reason}
          onChange={(sms) => mutate({ sms })}
        />
      </SettingRow>
      <SettingRow name={t.email} hint={config.isEnterprise ? t.enterpriseEmailHint : t.emailHint}>
        <Switch
          label={t.email}
          checked={config.email}
          disabled={isLocked}
          reason={reason}
          onChange={(email) => mutate({ email })}
        />
      </SettingRow>
    </SettingPanel>
  )
}
