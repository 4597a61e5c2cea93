import { type BoardLayout, boardLimits, boards } from '@busbar/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { parseSpan } from '../../entities/history/history-span.ts'
import type { Variable } from '../../entities/history/variables.ts'
import { call } from '../../shared/api/client.ts'
import type { PageSpace } from '../../shared/session/page-space.ts'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import { TextField } from '../../shared/ui/field.tsx'
import { SelectField } from '../../shared/ui/fields/choice-fields.tsx'
import { FormDialog } from '../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../shared/ui/form/use-form.ts'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import { addTiles } from './board-tiles.ts'
import { useExplorerText } from './explorer-text.ts'
import type { ExplorerSearch } from './search.ts'

interface BoardDialogProps {
  space: PageSpace
  /** Whether boards of the space may be changed. */
  mayEdit: boolean
  tags: readonly Variable[]
  range: TimeRange
  search: ExplorerSearch
  onClose: () => void
}

/** The board that has the variables now. */
type Changed = Pick<boards.BoardRow, 'id' | 'eid' | 'name'>

const boardsKey = ['boards'] as const
/** A new board of this space, or a personal one if this space is an enterprise's. */
const fresh = { here: 0, own: -1 } as const

const listQuery = (asked: PageSpace['asked']) =>
  queryOptions({
    queryKey: [...boardsKey, 'list', asked, false],
    queryFn: ({ signal }) => call(boards.listBoards, asked, { signal, noNotice: true }),
    staleTime: 0,
  })

/** Puts the variables on a board of the space, or on a personal one: numbers as curves, states as strips. */
export function BoardDialog({ space, mayEdit, tags, range, search, onClose }: BoardDialogProps) {
  const t = useExplorerText().board
  const navigate = useNavigate()
  const isOwn = space.asked.eid === undefined
  const here = useQuery({ ...listQuery(space.asked), enabled: mayEdit }).data ?? []
  const own = useQuery({ ...listQuery({}), enabled: !isOwn }).data ?? []
  const editable = [...here, ...own].filter((board) => board.mayEdit)
  const first: number = mayEdit ? fresh.here : fresh.own
  const form = useForm<{ readonly board: number; readonly name: string }, Changed>({
    initial: { board: first, name: '' },
    check: ({ board, name }) => ({
      name: board <= fresh.here && name.trim() === '' ? t.nameNeeded : undefined,
    }),
    send: async ({ board, name }) => {
      if (board > fresh.here) {
        const { id, eid, name, layout, version } = await call(boards.getBoard, { id: board })
        await call(boards.updateBoard, { id, version, layout: addTiles(layout, tags) })
        return { id, eid, name }
      }
      const layout = addTiles({ variable: null, range: rangeOf(search, range), tiles: [] }, tags)
      const asked = board === fresh.here ? space.asked : {}
      const made = { name: name.trim(), ...asked }
      const { id } = await call(boards.createBoard, { ...made, layout })
      return { id, eid: asked.eid ?? null, name: made.name }
    },
    explain: (error) => (error.code === 'BOARD_CHANGED' ? t.changed : undefined),
    touched: [boardsKey],
    onSent: ({ id, eid, name }) => {
      onClose()
      const address = { to: '/dataCenter', search: { eid: eid ?? 0, board: id } } as const
      showToast(t.done(name), 'done', { label: t.open, run: () => void navigate(address) })
    },
  })
  const isFresh = form.field('board').value <= fresh.here
  return (
    <FormDialog title={t.title} submit={t.add} form={form} onClose={onClose}>
      <SelectField
        label={t.where}
        options={[
          ...(mayEdit ? [{ value: fresh.here as number, label: t.fresh }] : []),
          ...(isOwn ? [] : [{ value: fresh.own as number, label: t.freshOwn }]),
          ...editable.map(({ id, name, eid }) => ({
            value: id,
            label: eid === null && !isOwn ? t.ofOwn(name) : name,
          })),
        ]}
        {...form.field('board')}
      />
      {isFresh && <TextField label={t.name} autoFocus {...form.text('name')} />}
    </FormDialog>
  )
}

/** The board shows the same time; a live span stays live. */
function rangeOf(search: ExplorerSearch, { from, to }: TimeRange): BoardLayout['range'] {
  const span = parseSpan(search)
  if (span?.kind === 'fixed') return { from: Math.round(from), to: Math.round(to) }
  return { lastMs: Math.max(Math.round(to - from), boardLimits.rangeMsMin) }
}
