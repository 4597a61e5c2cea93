import { accounts, type Lang } from '@busbar/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { call } from '../../../shared/api/client.ts'
import { useLang, useText } from '../../../shared/i18n/index.ts'
import { type Person, personQuery } from '../../../shared/session/account-queries.ts'
import { usePreferences } from '../../../shared/session/preferences.ts'
import { switchLanguage } from '../../../shared/session/switch-language.ts'
import { setTheme } from '../../../shared/session/theme.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { SettingPanel, SettingRow } from '../../../shared/ui/fields/setting-row.tsx'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { Switch } from '../../../shared/ui/switch.tsx'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import { ToggleGroup } from '../../../shared/ui/toggle-group/toggle-group.tsx'
import { PersonFrame } from '../person-frame.tsx'
import { DeleteAccountRow } from './delete-account-row.tsx'
import { NameRow } from './name-row.tsx'
import { TwoFactorRow } from './two-factor-row.tsx'
import css from './user-info-page.module.css'
import { ZoneRow } from './zone-row.tsx'

/** Who one is to the platform, how one signs in, and how the console looks. */
export function UserInfoPage(): ReactNode {
  const { account, app } = useText()
  const t = account.info
  const person = useQuery(personQuery)
  return (
    <PersonFrame title={t.title} lead={t.lead}>
      {person.data ? (
        <Settings person={person.data} />
      ) : person.isError ? (
        <SettingPanel>
          <EmptyState icon="offline" title={account.loadFailed} hint={account.loadFailedHint}>
            <Button icon="refresh" busy={person.isFetching} onClick={() => void person.refetch()}>
              {app.retry}
            </Button>
          </EmptyState>
        </SettingPanel>
      ) : (
        <SettingPanel>
          {[160, 220, 200].map((width) => (
            <SettingRow key={width} name="">
              <Skeleton width={width} />
            </SettingRow>
          ))}
        </SettingPanel>
      )}
    </PersonFrame>
  )
}

function Settings({ person }: { person: Person }) {
  const { account, app } = useText()
  const t = account.info
  return (
    <>
      <SettingPanel>
        <NameRow name={person.name} />
        <SettingRow name={t.phone} hint={t.phoneHint} value={<Phone person={person} />}>
          <Link to="/modifyPhone" className={css.action}>
            {person.phone ? t.change : t.add}
            <span className="sr-only">{t.phone}</span>
          </Link>
        </SettingRow>
        <SettingRow
          name={t.email}
          hint={t.emailHint}
          value={<Contact value={person.email} isVerified={person.email_state === 1} />}
        >
          <Link to="/modifyEmail" className={css.action}>
            {person.email ? t.change : t.add}
            <span className="sr-only">{t.email}</span>
          </Link>
        </SettingRow>
      </SettingPanel>
      <SettingPanel title={app.menu.sections.account}>
        <SettingRow name={t.password} hint={t.passwordHint}>
          <Link to="/recoverPwd" className={css.action}>
            {t.passwordChange}
          </Link>
        </SettingRow>
        <TwoFactorRow isOn={person.twoFactor} />
      </SettingPanel>
      <Looks person={person} />
      <DeleteAccountRow person={person} />
      <p className={css.links}>
        <Link to="/friends">{t.links.friends}</Link>
        <Link to="/safety">{t.links.safety}</Link>
      </p>
    </>
  )
}

function Phone({ person }: { person: Person }) {
  const value = person.phone && `+${person.countryCode} ${person.phone}`
  return <Contact value={value} isVerified={person.phone_state === 1} />
}

function Contact({ value, isVerified }: { value: string; isVerified: boolean }) {
  const { account, app } = useText()
  if (!value) return <span className={css.minor}>{account.info.none}</span>
  return (
    <>
      <span className="numbers">{value}</span>
      <span className={isVerified ? css.minor : css.unverified}>
        {isVerified ? app.user.verified : app.user.unverified}
      </span>
    </>
  )
}

function Looks({ person }: { person: Person }) {
  const { account, app } = useText()
  const t = account.info
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
        <Switch label={t.hideMap} checked={person.hide_map} onChange={(isHidden) => hide.mutate(isHidden)} />
      </SettingRow>
    </SettingPanel>
  )
}
