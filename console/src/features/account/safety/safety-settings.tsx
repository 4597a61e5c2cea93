import { type AnswerOf, accounts } from '@busbar/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'
import { useText } from '../../../shared/i18n/language.ts'
import { SettingPanel, SettingRow } from '../../../shared/ui/fields/setting-row.tsx'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { Switch } from '../../../shared/ui/switch.tsx'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import { ToggleGroup } from '../../../shared/ui/toggle-group/toggle-group.tsx'
import { safetySettingsQuery, terminalsKey } from './safety-queries.ts'

type Change = Partial<Pick<Settings, 'notifyNewTerminal'>> & {
  loginExpiryDays?: (typeof accounts.loginExpiryDays)[number]
}
type Settings = AnswerOf<typeof accounts.updateSafety>

/** Sets the lifetime of sessions, and whether new ones are reported. */
export function SafetySettings() {
  const t = useText().account.safety
  const { data: settings } = useQuery(safetySettingsQuery)
  return (
    <SettingPanel title={t.settings}>
      {settings ? (
        <Chosen settings={settings} />
      ) : (
        <SettingRow name={t.expiry} hint={t.expiryHint}>
          <Skeleton width={220} height={26} />
        </SettingRow>
      )}
    </SettingPanel>
  )
}

function Chosen({ settings }: { settings: Settings }) {
  const { account } = useText()
  const t = account.safety
  const queries = useQueryClient()
  const update = useMutation({
    mutationFn: (change: Change) => call(accounts.updateSafety, change),
    // Shown immediately; the platform's answer replaces it.
    onMutate: (change) =>
      queries.setQueryData<Settings>(
        safetySettingsQuery.queryKey,
        (known) => known && { ...known, ...change },
      ),
    onSuccess: (answer) => {
      queries.setQueryData(safetySettingsQuery.queryKey, answer)
      showToast(account.saved)
      return queries.invalidateQueries({ queryKey: terminalsKey })
    },
    onError: () => {
      showToast(account.failed, 'failure')
      return queries.invalidateQueries({ queryKey: safetySettingsQuery.queryKey })
    },
  })
  return (
    <>
      <SettingRow name={t.expiry} hint={t.expiryHint}>
        <ToggleGroup
          label={t.expiry}
          value={String(settings.loginExpiryDays)}
          onChange={(chosen) => {
            const loginExpiryDays = accounts.loginExpiryDays.find((days) => String(days) === chosen)
            if (loginExpiryDays) update.mutate({ loginExpiryDays })
          }}
          options={accounts.loginExpiryDays.map((days) => ({ value: String(days), label: t.days(days) }))}
        />
      </SettingRow>
      <SettingRow name={t.notify} hint={t.notifyHint}>
        <Switch
          label={t.notify}
          checked={settings.notifyNewTerminal}
          onChange={(notifyNewTerminal) => update.mutate({ notifyNewTerminal })}
        />
      </SettingRow>
    </>
  )
}
