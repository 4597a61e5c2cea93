import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { SettingsPage } from '../../../entities/account/settings-page.tsx'
import { useText } from '../../../shared/i18n/index.ts'
import { personQuery } from '../../../shared/session/account-queries.ts'
import { SettingPanel, SettingRow } from '../../../shared/ui/fields/setting-row.tsx'
import css from '../user-info/user-info-page.module.css'
import { SecurityLog } from './security-log.tsx'
import { TwoFactorRow } from './two-factor-row.tsx'

/** The settings of signing in, and the log of the account. */
export function SecurityPage(): ReactNode {
  const { account, settings } = useText()
  const t = account.info
  const { data: person } = useQuery(personQuery)
  return (
    <SettingsPage title={settings.menu.security} lead={settings.leads.security}>
      <SettingPanel>
        <SettingRow name={t.password} hint={t.passwordHint}>
          <Link to="/recoverPwd" className={css.action}>
            {t.passwordChange}
          </Link>
        </SettingRow>
        {person && <TwoFactorRow isOn={person.twoFactor} />}
      </SettingPanel>
      <SecurityLog />
    </SettingsPage>
  )
}
