import { accounts, type Lang } from '@busbar/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { SettingsPage } from '../../../entities/account/settings-page.tsx'
import { call } from '../../../shared/api/client.ts'
import { useLang, useText } from '../../../shared/i18n/index.ts'
import { type Person, personQuery } from '../../../shared/session/account-queries.ts'
import { usePreferences } from '../../../shared/session/preferences.ts'
import { switchLanguage } from '../../../shared/session/switch-language.ts'
import { setTheme } from '../../../shared/session/theme.ts'
import { SettingPanel, SettingRow } from '../../../shared/ui/fields/setting-row.tsx'
import { Switch } from '../../../shared/ui/switch.tsx'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import { ToggleGroup } from '../../../shared/ui/toggle-group/toggle-group.tsx'
import { ZoneRow } from './zone-row.tsx'

/** A person's choice of theme and language. */
export function AppearancePage(): ReactNode {
  const { account, app, settings } = useText()
  const t = account.info
  const { data: person } = useQuery(personQuery)
  const lang = useLang()
  const chosen = usePreferences().theme ?? 'system'
  const queries = useQueryClient()
  const hide = useMutation({
    mutationFn: (hideMap: boolean) => call(accounts.setHideMap, { hideMap }),
    onMutate: (hide_map) =>
      queries.setQueryData<Person>(personQuery.queryKey, (known) => known && { ...known, hide_map }),
    onError: () => showToast(account.failed, 'failure'),
    onSettled: () => queries.invalidateQueries({ queryKey: personQuery.queryKey }),
  })
  return (
    <SettingsPage title={settings.menu.appearance} lead={settings.leads.appearance}>
      <SettingPanel>
        <SettingRow name={t.language} hint={t.languageHint}>
          <ToggleGroup<Lang>
            label={t.language}
            value={lang}
            onChange={(value) => void switchLanguage(value)}
            options={[
              { value: 'cn', label: app.language.cn },
              { value: 'en', label: app.language.en },
            ]}
          />
        </SettingRow>
        <ZoneRow />
        <SettingRow name={t.theme}>
          <ToggleGroup
            label={t.theme}
            value={chosen}
            onChange={setTheme}
            options={[
              { value: 'light', label: app.theme.light },
              { value: 'dark', label: app.theme.dark },
              { value: 'system', label: app.theme.system },
            ]}
          />
        </SettingRow>
        <SettingRow name={t.hideMap} hint={t.hideMapHint}>
          <Switch
            label={t.hideMap}
            checked={person?.hide_map ?? false}
            onChange={(isHidden) => hide.mutate(isHidden)}
          />
        </SettingRow>
      </SettingPanel>
    </SettingsPage>
  )
}
