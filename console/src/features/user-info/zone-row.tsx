import { useMutation, useQueryClient } from '@tanstack/react-query'
import { saveLocale } from '../../app/account-locale.ts'
import { browserZone, useText, useZone } from '../../i18n/index.ts'
import { Button } from '../../ui/button.tsx'
import { showNotice } from '../../ui/notice-store.ts'
import { ZoneNote } from '../../ui/zone-note.tsx'
import { ZonePicker } from '../../ui/zone-picker.tsx'
import { SettingRow } from './setting-row.tsx'

/** The account's time zone, with a button for this browser's zone where that differs. */
export function ZoneRow() {
  const { account } = useText()
  const t = account.info
  const zone = useZone()
  const client = useQueryClient()
  const save = useMutation({
    mutationFn: (timeZone: string) => saveLocale(client, { timeZone }, { noNotice: true }),
    onSuccess: () => showNotice(t.timeZoneSaved),
    onError: () => showNotice(account.failed, 'failure'),
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
