import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { SettingsPage } from '../../../entities/account/settings-page.tsx'
import { useText } from '../../../shared/i18n/index.ts'
import { type Person, personQuery } from '../../../shared/session/account-queries.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { SettingPanel, SettingRow } from '../../../shared/ui/fields/setting-row.tsx'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { DeleteAccountRow } from './delete-account-row.tsx'
import { HideMapRow } from './hide-map-row.tsx'
import { NameRow } from './name-row.tsx'
import css from './user-info-page.module.css'

/** A person's name and contact data. */
export function UserInfoPage(): ReactNode {
  const { account, app, settings } = useText()
  const person = useQuery(personQuery)
  return (
    <SettingsPage title={settings.menu.profile} lead={settings.leads.profile}>
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
    </SettingsPage>
  )
}

function Settings({ person }: { person: Person }) {
  const t = useText().account.info
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
        <HideMapRow person={person} />
      </SettingPanel>
      <DeleteAccountRow person={person} />
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
