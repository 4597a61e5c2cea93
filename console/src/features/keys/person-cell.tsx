import { access } from '@busbar/contract'
import type { ReactNode } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import type { NameColumn, TextColumn } from '../../shared/resource/columns.tsx'
import { timeCell } from '../../shared/ui/data/csv.ts'
import { PersonName } from '../../shared/ui/people/person-name.tsx'
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
export const personColumn = (withEmail = false): NameColumn<ListedPerson, unknown> => ({
  kind: 'person',
  value: 'name',
  cell: (person) => <PersonCell person={person} withEmail={withEmail} />,
})

/** The end of a right; one without end stands after all others. */
export function untilColumn<Row>(
  untilOf: (row: Row) => number,
  forever: string,
  cell: (row: Row) => ReactNode,
): TextColumn<Row, unknown> {
  return {
    kind: 'text',
    value: (row) => (untilOf(row) === access.visitTimes.forever ? Number.MAX_SAFE_INTEGER : untilOf(row)),
    csv: (row) => {
      const until = untilOf(row)
      if (until === access.visitTimes.forever) return forever
      return until > 0 ? timeCell(until) : null
    },
    cell,
    ...{ width: 150, grow: 1.1, card: 'plain' },
  }
}

/** Further texts of a person that a search looks through. */
export const accountOf = ({ phone, email }: ListedPerson) => [phone, email]
