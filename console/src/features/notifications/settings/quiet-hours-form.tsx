import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { TextField } from '../../../shared/ui/field.tsx'
import { SettingPanel, SettingRow } from '../../../shared/ui/fields/setting-row.tsx'
import { FormRefusal } from '../../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../../shared/ui/form/use-form.ts'
import { Row } from '../../../shared/ui/layout/layout.tsx'
import { notificationsKey } from '../notification-queries.ts'
import css from '../notifications.module.css'
import { readTime } from './read-time.ts'
import type { SpaceConfig } from './space-config.ts'

/** From when to when only critical alarms go out. */
export function QuietHoursForm({ config, isLocked }: { config: SpaceConfig; isLocked: boolean }) {
  const t = useText().notifications.settings
  const form = useForm({
    initial: { quietFrom: config.quietFrom, quietTo: config.quietTo },
    follows: true,
    check({ quietFrom, quietTo }) {
      const [from, to] = [readTime(quietFrom), readTime(quietTo)]
      if (from === undefined) return { quietFrom: t.wrongTime }
      if (to === undefined) return { quietTo: t.wrongTime }
      if ((from === '') !== (to === '')) return { [from === '' ? 'quietFrom' : 'quietTo']: t.bothTimes }
      return { quietTo: from !== '' && from === to ? t.sameTime : undefined }
    },
    send: ({ quietFrom, quietTo }) =>
      config.save({ quietFrom: readTime(quietFrom) ?? '', quietTo: readTime(quietTo) ?? '' }),
    done: t.saved,
    touched: [notificationsKey],
  })
  const time = (field: 'quietFrom' | 'quietTo', label: string) => (
    <div className={css.time}>
      <TextField
        label={label}
        inputMode="numeric"
        autoComplete="off"
        placeholder="--:--"
        maxLength={5}
        disabled={isLocked}
        {...form.text(field)}
      />
    </div>
  )
  return (
    <SettingPanel title={t.quiet}>
      <form {...form.props}>
        <SettingRow name={t.quietDaily} hint={t.quietHint} value={config.quietFrom === '' && t.quietNone}>
          <Row gap="8 12" align="end" wraps>
            {time('quietFrom', t.from)}
            {time('quietTo', t.to)}
            <Button type="submit" kind="primary" disabled={isLocked || !form.isDirty} busy={form.isSending}>
              {t.save}
            </Button>
            {config.quietFrom !== '' && (
              <Button
                disabled={isLocked || form.isSending}
                onClick={() => {
                  form.set('quietFrom', '')
                  form.set('quietTo', '')
                }}
              >
                {t.clear}
              </Button>
            )}
          </Row>
        </SettingRow>
        <FormRefusal text={form.general} />
      </form>
    </SettingPanel>
  )
}
