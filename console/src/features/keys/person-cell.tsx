import { useText } from '../../shared/i18n/index.ts'
import { Avatar } from '../../shared/ui/avatar.tsx'
import css from '../../shared/ui/people/people.module.css'
import { useAdministration } from './administration.ts'

interface PersonCellProps {
  /** For a person whose account may be shown: phone and e-mail, not the first alone. */
  withEmail?: boolean
  person: {
    readonly userId: number
    readonly name: string
    readonly phone: string
    readonly email: string
    readonly leaving?: boolean
  }
}

/** Who it is: name and account, as far as it is shown. */
export function PersonCell({ person, withEmail = false }: PersonCellProps) {
  const t = useText().access
  const { userId } = useAdministration()
  const account = withEmail
    ? [person.phone, person.email].filter(Boolean).join(' · ')
    : person.phone || person.email
  return (
    <div className={css.person}>
      <Avatar name={person.name} size={28} />
      <span className={css.lines}>
        <span className={css.name}>
          <span className="cut" title={person.name}>
            {person.name}
          </span>
          {person.leaving && (
            <span className={css.tag} title={t.leavingHint}>
              {t.leaving}
            </span>
          )}
          {person.userId === userId && <span className={css.you}>{t.you}</span>}
        </span>
        <span className={css.minor} title={account}>
          {account || '—'}
        </span>
      </span>
    </div>
  )
}
