import { useMutation, useQueryClient } from '@tanstack/react-query'
import { browserZone, useText, useZone } from '../../../shared/i18n/index.ts'
import { saveLocale } from '../../../shared/session/account-locale.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { SettingRow } from '../../../shared/ui/fields/setting-row.tsx'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import { ZoneNote } from '../../../shared/ui/zone-note.tsx'
import { ZonePicker } from '../../../shared/ui/zone-picker.tsx'

/** The account's time zone, with a button for this browser's zone if that differs. */
export function ZoneRow() {
  const { account } = useText()
  const t = account.info
  const zone = useZone()
  const client = useQueryClient()
  const save = useMutation({
    mutationFn: (timeZone: string) => saveLocale(client, { timeZone }, { noNotice: true }),
    onSuccess: () => showToast(t.timeZoneSaved),
    onError: () => showToast(account.failed, 'failure'),
  })
  const isElsewhere = zone !== browserZone
  return (
    <SettingRow name={t.timeZone} hint={t.timeZoneHint} value={isElsewhere && <ZoneNote />}>
      {isElsewhere && (
        <Button kind="ghost" disabled={save.isPending} onClick={() => save.mutate(browserZone)}>
          {t.toBrowserZone(browserZone)}
        </Button>
      )}
      <ZonePicker
        label={t.timeZone}
        value={zone}
        disabled={save.isPending}
        onChange={(timeZone) => timeZone !== zone && save.mutate(timeZone)}
      />
    </SettingRow>
  )
}
