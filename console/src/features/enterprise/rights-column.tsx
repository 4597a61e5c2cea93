import type { enterprises } from '@busbar/contract'
import { rightWords } from '../../entities/enterprise/right-words.ts'
import type { Text } from '../../shared/i18n/index.ts'
import { TagsCell } from '../../shared/ui/table/cells.tsx'

type Holder = Pick<enterprises.Member, 'role' | 'rights'>

/** The rights of members and of those who are invited, in a list. */
export function rightsColumn<Row extends Holder>(words: Text['enterprises']) {
  const t = words.manage.members
  const wordsOf = (row: Row) => rightWords(row, words)
  return {
    kind: 'text' as const,
    value: (row: Row) => wordsOf(row).join(', '),
    cell: (row: Row) => {
      if (row.role !== 'member') return t.all
      return row.rights.length === 0 ? t.none : <TagsCell tags={wordsOf(row)} />
    },
    grow: 2,
    card: 'plain' as const,
  }
}
