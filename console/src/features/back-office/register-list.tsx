import type { Lang } from '@busbar/contract'
import type { ComponentType } from 'react'
import { useLang } from '../../shared/i18n/index.ts'
import type { Act } from '../../shared/resource/acts.tsx'
import type { ListProps } from '../../shared/resource/list.tsx'
import type { DataTableProps } from '../../shared/ui/table/data-table.tsx'
import { OperatorList } from './operator-list.tsx'
import { useOperatorText } from './operator-text.ts'

interface Entry {
  readonly id: number
  readonly name: Readonly<Record<Lang, string>>
}

/** The words of a register. */
interface RegisterWords {
  readonly lead: string
  readonly search: string
  readonly add: string
  readonly edit: string
  readonly remove: string
  readonly confirmRemove: (name: string) => string
  readonly confirmRemoveBody: string
}

interface RegisterProps<Row extends Entry, Request, Id extends string>
  extends Omit<
    ListProps<Row, Request, Id>,
    'rowKey' | 'lead' | 'search' | 'add' | 'opens' | 'acts' | 'empty'
  > {
  words: RegisterWords
  /** Adds an entry, or changes `row`. */
  form: ComponentType<{ row: Row | undefined; onClose: () => void }>
  removes: Required<Pick<Act<Row>, 'route' | 'run'>>
  empty: DataTableProps<Row, number>['empty']
}

/** A list of named entries that operators add, change and remove, all by one form. */
export function RegisterList<Row extends Entry, Request, Id extends string>(
  props: RegisterProps<Row, Request, Id>,
) {
  const { words, form: Form, removes, ...list } = props
  const all = useOperatorText()
  const lang = useLang()
  const dialog = (close: () => void, row?: Row) => <Form row={row} onClose={close} />
  return (
    <OperatorList<Row, Request, Id>
      {...list}
      rowKey={({ id }) => id}
      lead={words.lead}
      search={words.search}
      add={{ label: words.add, opens: dialog }}
      opens={dialog}
      acts={[
        { label: words.edit, opens: dialog },
        {
          ...removes,
          label: words.remove,
          asks: {
            title: ({ name }) => words.confirmRemove(name[lang]),
            many: (count) => all.bulk(words.remove, count),
            body: words.confirmRemoveBody,
          },
          done: all.done,
        },
      ]}
    />
  )
}
