import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { settingsEntries } from '../../entities/account/settings-entries.ts'
import { useText } from '../../shared/i18n/language.ts'
import { type Person, personQuery } from '../../shared/session/account-queries.ts'
import { signOut } from '../../shared/session/session-end.ts'
import { Avatar } from '../../shared/ui/avatar.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Box, Row, Stack, Text } from '../../shared/ui/layout/layout.tsx'
import { PreferenceSwitches } from '../../shared/ui/preference-switches.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { ZoneNote } from '../../shared/ui/zone-note.tsx'
import css from './user-panel.module.css'

interface UserPanelProps {
  /** A link of it was followed. */
  onLeave: () => void
  /** Above the settings. */
  children?: ReactNode
}

/** The signed-in person, their language and theme, and the sign-out. */
export function UserPanel({ onLeave, children }: UserPanelProps) {
  const { data: person } = useQuery(personQuery)
  const t = useText()
  return (
    <Stack>
      <Row pad={12} gap={12}>
        <Avatar name={person?.name ?? ''} size={40} />
        <Stack gap={2} grows>
          {person ? (
            <>
              <Text as="p" size={14} weight={600} cut title={person.name}>
                {person.name}
              </Text>
              <Text as="p" tone="quiet" size="12/16" numbers cut title={person.account}>
                {person.account}
              </Text>
            </>
          ) : (
            <>
              <Skeleton width={80} />
              <Skeleton width={140} height={10} />
            </>
          )}
        </Stack>
      </Row>
      {person && <Contacts person={person} />}
      {children}
      <Box as="nav" line="top" pad={12} className={css.links} aria-label={t.app.user.title}>
        {settingsEntries.map(({ key, to }) => (
          <Link key={key} to={to} onClick={onLeave}>
            {t.settings.menu[key]}
          </Link>
        ))}
        {person?.isOperator && (
          <Link to="/backManage" onClick={onLeave}>
            {t.app.user.backOffice}
          </Link>
        )}
      </Box>
      <Box line="top" pad={12}>
        <PreferenceSwitches />
        <ZoneNote className={css.zone} />
      </Box>
      <Box line="top" pad={12}>
        <Button
          icon="signOut"
          className={css.out}
          data-tip={t.app.user.signOutHint}
          onClick={() => void signOut()}
        >
          {t.app.header.signOut}
        </Button>
      </Box>
    </Stack>
  )
}

function Contacts({ person }: { person: Person }) {
  const t = useText().app.user
  const contacts = [
    { label: t.phone, value: person.phone, verified: person.phone_state === 1 },
    { label: t.email, value: person.email, verified: person.email_state === 1 },
  ].filter(({ value }) => value)
  if (!contacts.length) return null
  return (
    <Box as="dl" line="top" pad={12} className={css.contacts}>
      {contacts.map(({ label, value, verified }) => (
        <div key={label} className={css.contact}>
          <dt>{label}</dt>
          <dd>
            <span className="numbers">{value}</span>
            <span className={verified ? css.verified : css.unverified}>
              {verified ? t.verified : t.unverified}
            </span>
          </dd>
        </div>
      ))}
    </Box>
  )
}
