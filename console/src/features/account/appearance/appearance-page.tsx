import type { Lang } from '@busbar/contract'
import type { ReactNode } from 'react'
import { SettingsPage } from '../../../entities/account/settings-page.tsx'
import { useLang, useText } from '../../../shared/i18n/index.ts'
import { usePreferences } from '../../../shared/session/preferences.ts'
import { switchLanguage } from '../../../shared/session/switch-language.ts'
import { setTheme } from '../../../shared/session/theme.ts'
import { SettingPanel, SettingRow } from '../../../shared/ui/fields/setting-row.tsx'
import { ToggleGroup } from '../../../shared/ui/toggle-group/toggle-group.tsx'
import { ZoneRow } from './zone-row.tsx'

/** A person's choice of theme and language. */
export function AppearancePage(): ReactNode {
  const { account, app, settings } = useText()
  const t = account.info
  const lang = useLang()
  const chosen = usePreferences().theme ?? 'system'
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
      </SettingPanel>
    </SettingsPage>
  )
}
