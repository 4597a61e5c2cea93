import { alarmLimits } from '@busbar/contract'
import { formatNumber, useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { SettingPanel, SettingRow } from '../../../shared/ui/fields/setting-row.tsx'
import { FormRefusal } from '../../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../../shared/ui/form/use-form.ts'
import { NumberField } from '../../../shared/ui/number-field/number-field.tsx'
import { notificationsKey } from '../notification-queries.ts'
import css from '../notifications.module.css'
import type { SpaceConfig } from './space-config.ts'

const max = alarmLimits.alarmMessagesDailyMax

/** The daily limits on SMS, for all devices and per device. */
export function LimitsForm({ config, isLocked }: { config: SpaceConfig; isLocked: boolean }) {
  const text = useText()
  const t = text.notifications.settings
  const check = (value: string) =>
    value !== '' && Number(value) <= max ? undefined : text.notifications.members.of(formatNumber(max))
  const form = useForm({
    initial: { daily: String(config.daily), machineDaily: String(config.machineDaily) },
    follows: true,
    check: ({ daily, machineDaily }) => ({ daily: check(daily), machineDaily: check(machineDaily) }),
    send: ({ daily, machineDaily }) =>
      config.save({ daily: Number(daily), machineDaily: Number(machineDaily) }),
    done: t.saved,
    touched: [notificationsKey],
  })
  const amount = (field: 'daily' | 'machineDaily', label: string) => {
    const { value, error, onChange } = form.field(field)
    return (
      <div data-field={field}>
        <NumberField
          label={label}
          isLabelHidden
          className={css.amount}
          decimals={0}
          min={0}
          max={max}
          {...{ value, error, onChange, disabled: isLocked }}
        />
      </div>
    )
  }
  return (
    <SettingPanel title={t.limits}>
      <form {...form.props}>
        <SettingRow name={t.daily} hint={t.dailyHint(formatNumber(config.usedToday))}>
          {amount('daily', t.daily)}
        </SettingRow>
        <SettingRow name={t.machineDaily} hint={t.machineDailyHint}>
          {amount('machineDaily', t.machineDaily)}
          <Button type="submit" kind="primary" disabled={isLocked || !form.isDirty} busy={form.isSending}>
            {t.save}
          </Button>
        </SettingRow>
        <FormRefusal text={form.general} />
      </form>
    </SettingPanel>
  )
}
