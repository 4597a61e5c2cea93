import { accounts } from '@busbar/contract'
import { call } from '../../../shared/api/client.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { type Person, personQuery } from '../../../shared/session/account-queries.ts'
import { SettingRow } from '../../../shared/ui/fields/setting-row.tsx'
import { Switch } from '../../../shared/ui/switch.tsx'
import { useAct } from '../../../shared/ui/use-act.ts'

/** Whether a person sees where devices are; every answer to them follows it. */
export function HideMapRow({ person }: { person: Person }) {
  const { account } = useText()
  const t = account.info
  const { mutate, isPending } = useAct({
    call: (hideMap: boolean) => call(accounts.setHideMap, { hideMap }, { noNotice: true }),
    done: account.saved,
    touched: [personQuery.queryKey, ['machines'], ['enterprise']],
  })
  return (
    <SettingRow name={t.hideMap} hint={t.hideMapHint}>
      <Switch
        label={t.hideMap}
        checked={person.hide_map}
        disabled={isPending}
        onChange={(next) => mutate(next)}
      />
    </SettingRow>
  )
}
