import { boards } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { explainPerson, personErrors } from '../../../entities/person/person-input.ts'
import {
  emptyReceiver,
  findReceiverProblem,
  formatReceiver,
  ReceiverField,
  toReceiver,
} from '../../../entities/person/receiver-field.tsx'
import { call } from '../../../shared/api/client.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { enterprisesQuery } from '../../../shared/session/account-queries.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { ListFailed } from '../../../shared/ui/empty-state.tsx'
import { FormDialog } from '../../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../../shared/ui/form/use-form.ts'
import { Text } from '../../../shared/ui/layout/layout.tsx'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { ToggleGroup } from '../../../shared/ui/toggle-group/toggle-group.tsx'
import { useAct } from '../../../shared/ui/use-act.ts'
import { type BoardRow, boardSharesKey, boardSharesQuery } from '../board-queries.ts'
import { useBoardsText } from '../boards-text.ts'
import css from './list.module.css'

type Shared = Pick<BoardRow, 'id' | 'name'>

/** Shares a board with a person or an enterprise, and lists its shares. */
export function ShareDialog({ board, onClose }: { board: Shared; onClose: () => void }) {
  const text = useText()
  const t = useBoardsText().share
  const { data: spaces = [] } = useQuery(enterprisesQuery)
  const form = useForm({
    route: boards.shareBoard,
    initial: { receiver: emptyReceiver, right: 'look' as boards.BoardShareRight },
    check: ({ receiver }) => ({ receiver: findReceiverProblem(receiver, spaces, text) }),
    send: ({ receiver, right }) =>
      call(boards.shareBoard, { id: board.id, right, ...toReceiver(receiver, spaces) }),
    errorFields: {
      ...personErrors('receiver'),
      BOARD_SHARE_OWN: 'receiver',
      SHARED_BOARDS_FULL: 'receiver',
      eid: 'receiver',
    },
    explain: (error, { receiver: { kind, person } }) =>
      kind === 'person' ? explainPerson(error, person, text) : undefined,
    touched: [boardSharesKey(board.id)],
    done: (_, { receiver }) => t.shared(formatReceiver(receiver, spaces)),
    onSent: onClose,
  })
  return (
    <FormDialog title={t.title(board.name)} submit={t.submit} form={form} onClose={onClose}>
      <Text as="p" tone="soft" pretty>
        {t.lead}
      </Text>
      <ReceiverField
        spaces={spaces}
        label={t.account}
        hints={{ person: t.personHint, enterprise: t.enterpriseHint }}
        {...form.field('receiver')}
      />
      <div>
        <ToggleGroup
          label={t.right}
          {...form.field('right')}
          options={boards.boardShareRights.map((value) => ({ value, label: t.rights[value] }))}
        />
      </div>
      <Shares board={board} />
    </FormDialog>
  )
}

/** The present shares of a board, each with a button to end it. */
function Shares({ board }: { board: Shared }) {
  const t = useBoardsText().share
  const { data, isError, isFetching, refetch } = useQuery(boardSharesQuery(board.id))
  const end = useAct({
    call: ({ id }: boards.BoardShare) => call(boards.endBoardShare, { id: board.id, shareId: id }),
    done: ({ name }) => t.ended(name),
    touched: [boardSharesKey(board.id)],
  })
  if (!data && isError) return <ListFailed isFetching={isFetching} retry={() => void refetch()} />
  if (!data) return <Skeleton height={48} />
  return (
    <section aria-label={t.present}>
      <Text as="p" tone="soft">
        {data.length === 0 ? t.none : t.present}
      </Text>
      <ul className={css.rows}>
        {data.map((share) => (
          <li key={share.id}>
            <span className={css.rowText}>
              <span>{share.name}</span>
              <span className={css.minor}>
                {[share.eid === null ? t.person : t.enterprise, t.rights[share.right]].join(' · ')}
              </span>
            </span>
            <Button
              size="small"
              aria-label={t.removeOf(share.name)}
              busy={end.isPending && end.variables?.id === share.id}
              onClick={() => end.mutate(share)}
            >
              {t.remove}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
