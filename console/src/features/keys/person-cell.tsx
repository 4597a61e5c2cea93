import { useText } from '../../shared/i18n/index.ts'
import { PersonName } from '../../shared/ui/people/person-name.tsx'
import type { TableColumn } from '../../shared/ui/table/column.ts'
import { Tag } from '../../shared/ui/tag.tsx'
import { useAdministration } from './administration.ts'

interface ListedPerson {
  readonly userId: number
  readonly name: string
  readonly phone: string
  readonly email: string
  readonly leaving?: boolean
}

interface PersonCellProps {
  /** For a person whose full account may be shown: phone and e-mail instead of only the first. */
  withEmail?: boolean
  person: ListedPerson
}

/** A person's name and account, as far as the caller may see it. */
export function PersonCell({ person, withEmail = false }: PersonCellProps) {
  const t = useText().access
  const { userId } = useAdministration()
  const account = withEmail
    ? [person.phone, person.email].filter(Boolean).join(' · ')
    : person.phone || person.email
  return (
    <PersonName
      name={person.name}
      minor={<span title={account}>{account || '—'}</span>}
      tags={
        <>
          {person.leaving && (
            <span title={t.leavingHint}>
              <Tag>{t.leaving}</Tag>
            </span>
          )}
          {person.userId === userId && <Tag>{t.you}</Tag>}
        </>
      }
    />
  )
}

/** The first column of a list of people. */
export function personColumn<P extends ListedPerson>(title: string, withEmail = false): TableColumn<P> {
  return {
    id: 'person',
    title,
    ...{ width: 170, grow: 1.6, rank: 0, pinned: 'start', card: 'name' },
    value: ({ name }) => name,
    cell: (person) => <PersonCell person={person} withEmail={withEmail} />,
  }
}

/** Further texts of a person that a search looks through. */
export const accountOf = ({ phone, email }: ListedPerson) => [phone, email]
export const personNameOf = ({ name }: ListedPerson) => name
